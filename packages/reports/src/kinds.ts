import type { Severity } from "./severities.ts";

/** The metrics a report can feed. */
export type ReportMetric =
  | "image_scan"
  | "secret_scan"
  | "sast"
  | "dast"
  | "unit_coverage"
  | "integration_coverage"
  | "stress_test";

/** A severity that the caller can give to findings without one. */
export type AssumedSeverity = Exclude<Severity, "info">;

/**
 * Kinds of findings that become a problem, each by itself: clean of one kind says nothing of another. `findings` are all
 * that a report of any tool lists.
 */
export const findingKinds = ["vulnerabilities", "secrets", "misconfigurations", "findings"] as const;

export type FindingKind = (typeof findingKinds)[number];

/** What is counted by the severities of a report. */
export const severityMetrics = { image_scan: "vulnerabilities", sast: "weaknesses", dast: "alerts" } as const;

/** Whether a metric counts findings by severity. */
export function isSeverityMetric(metric: ReportMetric | undefined): metric is keyof typeof severityMetrics {
  return metric !== undefined && Object.hasOwn(severityMetrics, metric);
}
