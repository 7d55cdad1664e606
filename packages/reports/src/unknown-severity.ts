import { ReportError } from "./errors.ts";
import type { Facts } from "./format.ts";
import { type AssumedSeverity, isSeverityMetric, type ReportMetric } from "./kinds.ts";
import type { ReadHints } from "./options.ts";
import { type SeverityCounts, totalOf } from "./severities.ts";

/**
 * Counts the findings of unknown severity as findings of the assumed one. This is the only place where that happens.
 *
 * @returns the counts, with the number of findings whose severity was assumed
 */
export function withSeverity(
  counts: SeverityCounts,
  severity: AssumedSeverity | undefined,
): SeverityCounts & { readonly assumed_severities?: number } {
  const { unknown } = counts;
  if (severity === undefined || unknown === 0) return counts;
  return { ...counts, [severity]: counts[severity] + unknown, unknown: 0, assumed_severities: unknown };
}

/** Whether there are findings, but none with a severity. They would get the same score as no findings. */
export function isUnscorable(metric: ReportMetric, { severities }: Facts, { assumeSeverity }: ReadHints): boolean {
  if (!isSeverityMetric(metric) || !severities?.measured || assumeSeverity) return false;
  const { unknown } = severities.value;
  return unknown > 0 && unknown === totalOf(severities.value);
}

/** The error for a report for which `isUnscorable` is true. */
export function unscorable({ severities }: Facts): ReportError {
  const total = severities?.measured ? severities.value.unknown : 0;
  const [all, them] = total === 1 ? ["the only finding has", "it"] : [`all ${total} findings have`, "them"];
  const message = `${all} no severity, so that no score can be made of ${them}`;
  return new ReportError("no-severity", message, [{ assumeSeverity: "high" }]);
}

/** Notes on the counts by severity of a metric, for the reports of any tool. */
export function notesOnSeverities(
  metric: ReportMetric,
  { severities }: Facts,
  { assumeSeverity }: ReadHints,
): string[] {
  if (!isSeverityMetric(metric) || !severities?.measured) return [];
  const notes: string[] = [];
  const { unknown } = severities.value;
  const { critical } = withSeverity(severities.value, assumeSeverity);
  if (metric === "dast" && critical > 0) notes.push(`${critical} critical, counted as high: dast has no critical`);
  if (unknown > 0 && assumeSeverity) {
    notes.push(`${unknown} of unknown severity, counted as ${assumeSeverity} on the caller's word`);
  } else if (unknown > 0) notes.push(`${unknown} of unknown severity, not scored (--assume-severity counts them)`);
  return notes;
}
