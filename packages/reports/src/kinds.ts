import type { Severity } from "./severities.ts";

/** The metrics that reports can feed. */
export type ReportMetric =
  | "image_scan"
  | "secret_scan"
  | "sast"
  | "dast"
  | "unit_coverage"
  | "integration_coverage"
  | "stress_test";

/** A severity that the caller can assume for findings without one. */
export type AssumedSeverity = Exclude<Severity, "info">;

/**
 * Kinds of findings. Each becomes a problem of its own, because a report that is clean of one kind says nothing about
 * another. `findings` means all findings that a report lists.
 */
export const findingKinds = ["vulnerabilities", "secrets", "misconfigurations", "findings"] as const;

export type FindingKind = (typeof findingKinds)[number];

/** The metrics that count findings by severity, each with the word for what it counts. */
export const severityMetrics = { image_scan: "vulnerabilities", sast: "weaknesses", dast: "alerts" } as const;

/**
 * The number of findings of each severity that halves the score of a metric, as the scorecard `@maturity/security` has
 * it.
 */
export const halves: Readonly<
  Record<keyof typeof severityMetrics, Readonly<Record<"critical" | "high" | "medium", number>>>
> = {
  image_scan: { critical: 1, high: 5, medium: 40 },
  sast: { critical: 1, high: 4, medium: 20 },
  dast: { critical: 1.5, high: 1.5, medium: 8 },
};

/** Whether a metric counts findings by severity. */
export function isSeverityMetric(metric: ReportMetric | undefined): metric is keyof typeof severityMetrics {
  return metric !== undefined && Object.hasOwn(severityMetrics, metric);
}
