import type { MetricMeasurements } from "./derive.ts";
import type { FindingList } from "./findings.ts";
import type { Facts } from "./format.ts";
import { isSeverityMetric, type ReportMetric, type severityMetrics } from "./kinds.ts";
import { totalOf } from "./severities.ts";

/** The metrics that count findings. */
export type FindingMetric = keyof typeof severityMetrics | "secret_scan";

/** The findings of each metric that counts any and was measured. */
export type MetricFindings = { readonly [metric in FindingMetric]?: FindingList };

/** The findings that each metric of a report counts. */
export function metricFindings(facts: Facts, measurements: MetricMeasurements): MetricFindings {
  const findings: { [metric in FindingMetric]?: FindingList } = {};
  for (const metric of Object.keys(measurements) as ReportMetric[]) {
    if (!measurements[metric]?.measured) continue;
    const list = isSeverityMetric(metric) ? counted(facts) : metric === "secret_scan" && secretsOf(facts);
    if (list) findings[metric as FindingMetric] = list;
  }
  return findings;
}

function secretsOf({ findings }: Facts): FindingList | undefined {
  return findings?.secrets?.measured ? findings.secrets.value : undefined;
}

function counted({ severities, findings = {} }: Facts): FindingList | undefined {
  if (!severities?.measured) return undefined;
  const count = totalOf(severities.value);
  // A list of another length has other findings too, such as secrets, or lacks some.
  const listed = [findings.vulnerabilities, findings.findings].find(
    (one) => one?.measured && one.value.count === count,
  );
  return { count, severities: severities.value, details: listed?.measured ? listed.value.details : [] };
}
