import type { Facts } from "./format.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";
import { type Measurement, measured, notMeasured } from "./measurement.ts";
import { noFindings, type SeverityCounts, totalOf } from "./severities.ts";

/** What a report is asked for. */
export type Asked = { readonly metric: ReportMetric } | { readonly kind: FindingKind };

/** Whether the caller's word can stand in for what the report does not show. Silence has no percentage. */
export function canAssume(asked: Asked): boolean {
  return "kind" in asked || !["unit_coverage", "integration_coverage", "stress_test"].includes(asked.metric);
}

/** What the facts say of findings for a metric that counts them by severity. */
export function severitiesFor(
  metric: ReportMetric,
  { severities, cleanFor }: Facts,
): Measurement<SeverityCounts> | undefined {
  const isClean = severities?.measured && totalOf(severities.value) === 0;
  if (!isClean || cleanFor === undefined || cleanFor.includes(metric)) return severities;
  return notMeasured(`does not show that it was looked for what ${metric} counts`);
}

/** The evidence of what only the caller knows. */
export const callersWord = "the caller's word";

/** The one place where silence becomes a count of 0: the facts, with what was asked for as measured, and not found. */
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
      : { findings: { ...findings, [kind]: measured({ count: 0, details: [] }, callersWord) } }),
    notes: [...notes, `the report ${silent.missing}; taken for clean on the caller's word`],
  };
}

/** Whether the evidence is nothing but the caller's word. */
export function isAssumed(measurement: Measurement<unknown>): boolean {
  return measurement.measured && measurement.evidence === callersWord;
}
