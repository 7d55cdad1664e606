import { ReportError } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, listAt, objectsOf, optionalListAt } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/**
 * The output of Bandit's `-f json`. `issue_severity` counts; Bandit has no severity `critical`. Where nothing is
 * found, `metrics._totals.loc` has to count lines of code. A report is refused if every file could not be parsed.
 */
export const bandit: Format = {
  name: "bandit",
  title: "Bandit JSON",
  words: ["issue_severity", "issue_confidence", "test_id", "generated_at", "_totals"],
  time: { fields: ["generated_at"] },
  metrics: ["sast"],
  metric: "sast",

  // The least after a scan is a number of lines of code in the totals. Without it, this is the frame of a run that read
  // nothing.
  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ["generated_at", "metrics", "results"].filter((key) => key in record).length >= 2 &&
        !("plugins_used" in record) &&
        hasBanditMembers(record),
    ),

  read(document) {
    const severities = noFindings();
    let unparsed = 0;
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const results = listAt(record.results, `${path}results`);
      for (const { entry } of entriesAt(results, `${path}results`)) severities[severityOf(entry.issue_severity)]++;
      refuseTruncated(leastIn(record, results), results.length, `${path}metrics._totals`);
      const errors = optionalListAt(record.errors, `${path}errors`).length;
      if (errors > 0 && results.length === 0 && linesOf(record) === 0) {
        throw new ReportError("failed-scan", `${path}Bandit could parse none of ${errors} files`);
      }
      unparsed += errors;
      isShown &&= results.length > 0 || isPositive(linesOf(record));
    }
    return {
      severities: measuredCounts(severities, isShown ? "lines of code" : undefined, "counts no line of code"),
      tool: "Bandit",
      warnings: unparsed > 0 ? [`${unparsed} files could not be parsed`] : [],
    };
  },
};

function hasBanditMembers({ metrics, results }: Fields): boolean {
  if (isObject(metrics) && "_totals" in metrics) return true;
  const [result] = Array.isArray(results) ? results : [];
  return isObject(result) && "issue_severity" in result;
}

const ranks = ["UNDEFINED", "LOW", "MEDIUM", "HIGH"];

/**
 * How many issues the report must list at least. Bandit's totals also count the issues that its options `-l` and `-i`
 * leave out, and do so by severity and by confidence, not by both. What is listed shows down to which rank they let
 * issues pass: so many as reach that rank in both respects, or more, must be there.
 */
function leastIn({ metrics }: Fields, results: readonly unknown[]): number {
  const totals = isObject(metrics) && isObject(metrics._totals) ? metrics._totals : {};
  const counted = (kind: string, from: number) =>
    ranks.slice(from).reduce((sum, rank) => sum + numberOf(totals[`${kind}.${rank}`]), 0);
  const lowest = (key: string) =>
    results.reduce<number>((low, result) => Math.min(low, rankOf(isObject(result) ? result[key] : undefined)), highest);
  const severe = counted("SEVERITY", lowest("issue_severity"));
  const confident = counted("CONFIDENCE", lowest("issue_confidence"));
  return severe + confident - counted("SEVERITY", 0);
}

const highest = ranks.length - 1;

function rankOf(word: unknown): number {
  const rank = typeof word === "string" ? ranks.indexOf(word) : -1;
  return rank === -1 ? highest : rank;
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function linesOf({ metrics }: Fields): unknown {
  return isObject(metrics) && isObject(metrics._totals) ? metrics._totals.loc : undefined;
}
