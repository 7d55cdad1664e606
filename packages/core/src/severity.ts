/** How grave a problem is, from the gravest to the mildest. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;

export type Severity = (typeof severities)[number];
