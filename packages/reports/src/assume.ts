import type { Facts, FindingKind, ReportMetric } from "./format.ts";
import { type Measurement, measured } from "./measurement.ts";
import { noFindings } from "./severities.ts";

/** What a report is asked for. */
export type Asked = { readonly metric: ReportMetric } | { readonly kind: FindingKind };

/** Whether the caller's word can stand in for what the report does not show. Silence has no percentage. */
export function canAssume(asked: Asked): boolean {
  return "kind" in asked || !["unit_coverage", "integration_coverage", "stress_test"].includes(asked.metric);
}

/** The evidence of what only the caller knows. */
export const callersWord = "the caller's word";

/**
 * The one place where silence becomes a count of 0: the facts, with what was asked for as measured, and not found. Of a
 * report that only does not say what it is about, asking is enough; of others it takes the caller's word.
 */
export function takeSilence(facts: Facts, asked: Asked, isAssumed: boolean): Facts {
  const { severities, findings = {}, notes = [] } = facts;
  const kind = "kind" in asked ? asked.kind : asked.metric === "secret_scan" ? "secrets" : undefined;
  const silent = kind === undefined ? severities : findings[kind];
  if (!silent || silent.measured || !canAssume(asked)) return facts;
  if (!silent.wantsName && !isAssumed) return facts;
  const evidence = silent.wantsName ? "a report of a scan that the caller named" : callersWord;
  return {
    ...facts,
    ...(kind === undefined
      ? { severities: measured(noFindings(), evidence) }
      : { findings: { ...findings, [kind]: measured({ count: 0, details: [] }, evidence) } }),
    ...(silent.wantsName
      ? "metric" in asked && { metrics: [asked.metric] }
      : { notes: [...notes, `the report ${silent.missing}; taken for clean on the caller's word`] }),
  };
}

/** Whether the evidence is nothing but the caller's word. */
export function isAssumed(measurement: Measurement<unknown>): boolean {
  return measurement.measured && measurement.evidence === callersWord;
}
