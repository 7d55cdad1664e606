import type { Severity } from "@maturity/reports";

/** From the gravest on; `@maturity/reports` is not loaded for help and completion. */
export const severityNames: readonly Severity[] = ["critical", "high", "medium", "low", "info"];
