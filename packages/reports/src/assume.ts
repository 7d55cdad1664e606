import type { Facts } from "./format.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";
import { type Measurement, measured, notMeasured } from "./measurement.ts";
import { noFindings, type SeverityCounts, totalOf } from "./severities.ts";

/** What the caller wants from a report: the values of a metric, or the findings of a kind. */
export type Asked = { readonly metric: ReportMetric } | { readonly kind: FindingKind };

/**
 * Whether the caller may vouch that the tool looked for something, if the report does not prove it. This is not
 * possible for coverage and load tests, because "nothing found" gives no percentage.
 */
export function canAssume(asked: Asked): boolean {
  return "kind" in asked || !["unit_coverage", "integration_coverage", "stress_test"].includes(asked.metric);
}

/**
 * The counts by severity for a metric. Not measured if the report has no findings and does not prove that it is clean
 * for this metric.
 */
export function severitiesFor(
  metric: ReportMetric,
  { severities, cleanFor }: Facts,
): Measurement<SeverityCounts> | undefined {
  const isClean = severities?.measured && totalOf(severities.value) === 0;
  if (!isClean || cleanFor === undefined || cleanFor.includes(metric)) return severities;
  return notMeasured(`does not show that it was looked for what ${metric} counts`);
}

/** The evidence of a measurement for which only the caller vouches. */
export const callersWord = "the caller's word";

/**
 * Counts what the report does not mention as 0, on the word of the caller. This is the only place where that happens.
 *
 * @returns the facts, in which what was asked for is measured with no findings; the same facts if it was measured
 * already, or if no caller can vouch for it
 */
export function takeSilence(facts: Facts, asked: Asked): Facts {
  const { findings = {}, notes = [] } = facts;
  const metric = "metric" in asked && asked.metric !== "secret_scan" ? asked.metric : undefined;
  const kind = "kind" in asked ? asked.kind : "secrets";
  const silent = metric ? severitiesFor(metric, facts) : findings[kind];
  if (!silent || silent.measured || !canAssume(asked)) return facts;
  return {
    ...facts,
    ...(metric
      ? { severities: measured(noFindings(), callersWord), cleanFor: [metric] }
      : {
          findings: { ...findings, [kind]: measured({ count: 0, severities: noFindings(), details: [] }, callersWord) },
        }),
    notes: [...notes, `the report ${silent.missing}; taken for clean on the caller's word`],
  };
}

/** Whether only the caller vouches for this measurement. */
export function isAssumed(measurement: Measurement<unknown>): boolean {
  return measurement.measured && measurement.evidence === callersWord;
}
