import type { MetricMeasurements } from "./derive.ts";
import type { Facts } from "./format.ts";
import { type FindingKind, findingKinds, isSeverityMetric, type ReportMetric, severityMetrics } from "./kinds.ts";
import type { SeverityCounts } from "./severities.ts";

/** Findings of a report, independent of what it was read for. */
export interface Held {
  /** Their number and kind in words, such as `3 secrets`. */
  readonly what: string;
  readonly count: number;
  /** The metric that they feed, if there is one. */
  readonly metric?: ReportMetric;
  /** Their kind. Absent if the report does not list them with files and lines. */
  readonly kind?: FindingKind;
}

/**
 * Lists all findings of a report, so that the caller can list those that are not used.
 *
 * @param metric the metric that the report is read for, if it is read for one
 */
export function heldIn(
  { severities, findings = {} }: Facts,
  measurements: MetricMeasurements,
  metric: ReportMetric | undefined,
): Held[] {
  const metrics = Object.keys(measurements) as ReportMetric[];
  const counting = isSeverityMetric(metric) ? metric : metrics.find(isSeverityMetric);
  const held: Held[] = [];
  for (const kind of findingKinds) {
    const found = findings[kind];
    if (!found?.measured || found.value.count === 0) continue;
    if (kind === "findings" && found.value.count === held.reduce((sum, { count }) => sum + count, 0)) continue;
    const feeds =
      kind === "secrets"
        ? metrics.find((name) => name === "secret_scan")
        : kind === "vulnerabilities"
          ? counting
          : undefined;
    held.push({
      what: counted(found.value.count, kind),
      count: found.value.count,
      kind,
      ...(feeds && { metric: feeds }),
    });
  }
  const isListed = held.some((one) => one.metric === counting);
  if (severities?.measured && isSeverityMetric(counting) && !isListed) {
    const count = numberOf(severities.value);
    if (count > 0) held.push({ what: counted(count, severityMetrics[counting]), count, metric: counting });
  }
  return held;
}

function numberOf({ critical, high, medium, low, unknown }: SeverityCounts): number {
  return critical + high + medium + low + unknown;
}

const singular: Readonly<Record<string, string>> = {
  vulnerabilities: "vulnerability",
  secrets: "secret",
  misconfigurations: "misconfiguration",
  findings: "finding",
  weaknesses: "weakness",
  alerts: "alert",
};

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? singular[what] : what}`;
}
