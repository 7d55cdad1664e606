/**
 * What becomes of submissions of applications that nobody registered: they are stored and count (`accept`), are stored and
 * count once their application is registered (`hold`), or are refused (`refuse`).
 */
export type Unregistered = "accept" | "hold" | "refuse";

export const unregisteredModes: readonly Unregistered[] = ["accept", "hold", "refuse"];
