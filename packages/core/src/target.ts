/**
 * Whose result it is, from the widest to the narrowest: a top level grouping of teams, a group of applications, an application,
 * and an environment such as `prod`.
 */
export const targetFields = ["area", "team", "app", "env"] as const;

/** Whose result it is: every request and every stored row names it by these fields. */
export type Target = Readonly<Record<(typeof targetFields)[number], string>>;
