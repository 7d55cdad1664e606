import { ReportError } from "./errors.ts";
import type { Facts } from "./format.ts";
import { type AssumedSeverity, halves, isSeverityMetric, type ReportMetric } from "./kinds.ts";
import type { ReadHints } from "./options.ts";
import { noFindings, type SeverityCounts, totalOf } from "./severities.ts";

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

/** The largest share of findings without a severity with which the others still make a score. */
const mostUnknown = 0.1;
/** The score from which the findings without a severity decide whether an application is good. */
const good = 90;

/**
 * Whether so many findings have no severity that the others make no score: more than a tenth, or any if the others alone
 * would score above 90.
 */
export function isUnscorable(metric: ReportMetric, { severities }: Facts, { assumeSeverity }: ReadHints): boolean {
  if (!isSeverityMetric(metric) || !severities?.measured || assumeSeverity) return false;
  const { unknown } = severities.value;
  if (unknown === 0) return false;
  return unknown > mostUnknown * totalOf(severities.value) || scoreOfKnown(metric, severities.value) > good;
}

/** The score of a metric without the findings of unknown severity. */
function scoreOfKnown(metric: keyof typeof halves, counts: SeverityCounts): number {
  const { critical, high, medium } = halves[metric];
  return 100 * 2 ** -(counts.critical / critical + counts.high / high + counts.medium / medium);
}

/** The error for a report for which `isUnscorable` is true. */
export function unscorable({ severities }: Facts): ReportError {
  const counts = severities?.measured ? severities.value : noFindings();
  const total = totalOf(counts);
  const message =
    counts.unknown < total
      ? `${counts.unknown} of ${total} findings ${counts.unknown === 1 ? "has" : "have"} no severity, so that no score can be made of the others`
      : total === 1
        ? "the only finding has no severity, so that no score can be made of it"
        : `all ${total} findings have no severity, so that no score can be made of them`;
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
