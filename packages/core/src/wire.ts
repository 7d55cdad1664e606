/**
 * Whose result it is, from the widest to the narrowest: a top level grouping of teams, a group of applications, an application,
 * and an environment such as `prod`.
 */
export const targetFields = ["area", "team", "app", "env"] as const;

/** Whose result it is: every request and every stored row names it by these fields. */
export type Target = Readonly<Record<(typeof targetFields)[number], string>>;

/** How grave a problem is, from the gravest to the mildest. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;

export type Severity = (typeof severities)[number];

/** Largest number of entries that the service takes in a list: `scores`, `details`. */
export const maxEntries = 1_000;

/** Largest body that the service takes, unpacked, in bytes. */
export const maxBodyBytes = 1_048_576;
