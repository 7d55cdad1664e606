import { scoreText } from "@maturity/command-line/score-text";
import { printable } from "@maturity/command-line/terminal";
import type { InputChange, Reach } from "@maturity/core";
import type { MergedReading } from "@maturity/report-files/readings";
import { type Conditions, minimumOf } from "./conditions.ts";
import type { JudgedScore, Judgement } from "./judge.ts";
import type { AppScores, Comparison } from "./stored.ts";

/**
 * Why an application has no score.
 *
 * @param shares of the weight that are waived, and exempt by the policy
 * @param hasResults whether it has reported anything but problems
 */
export function noScoreCause({ waived, exempt }: AppScores["shares"], hasResults: boolean): string {
  if (!hasResults) return "it has reported only problems";
  const causes = [...(waived > 0 ? ["waived"] : []), ...(exempt > 0 ? ["exempt by the policy"] : [])];
  return causes.length > 0 ? `all that it reported is ${causes.join(" or ")}` : "nothing that it reported counts";
}

/** How a score compares with the stored one, and what would reach the minimum, in lines. */
export function judgedLines(
  { comparison, isLate, reach, min, reading }: JudgedScore,
  { maxDrop, appMin }: Conditions,
): string[] {
  return [
    ...(maxDrop === undefined ? [] : [comparisonText(comparison)]),
    ...(isLate && (maxDrop ?? appMin) !== undefined ? ["a later result is stored, so this one changes no score"] : []),
    ...(reach && min !== undefined ? reachLines(reach, min, reading) : []),
  ];
}

/** What `--json` shows of a score. */
export function judgedJson(score: JudgedScore, conditions: Conditions): object {
  const { min, comparison, isLate, reach } = score;
  const { maxDrop } = conditions;
  const isHigh = score.score >= (minimumOf(conditions, score) ?? 0);
  return {
    ...(min !== undefined && { min }),
    met: isHigh && (maxDrop === undefined || (comparison?.change ?? 0) >= -maxDrop),
    ...(maxDrop !== undefined && { comparison: comparison ?? null }),
    ...(isLate && { later_stored: true }),
    ...(reach && { reach }),
  };
}

/** What `--json` shows of a gate, beside its scores. */
export function gateJson({ conditions, app, ages, isMet, newProblems }: Judgement): object {
  const { min, maxDrop, appMin, noNewProblems } = conditions;
  return {
    ...(min !== undefined && { min }),
    ...(ages && {
      max_age_hours: ages.maximum.ms / 3_600_000,
      too_old: ages.tooOld.map(({ file, measuredAt }) => ({ file, measured_at: measuredAt })),
      undated: ages.undated.map(({ file }) => file),
    }),
    ...(maxDrop !== undefined && { max_drop: maxDrop }),
    ...(app &&
      appMin !== undefined && { app: { min: appMin, score: app.before ?? null, score_with: app.after ?? null } }),
    met: isMet,
    ...(noNewProblems && { new_problems: newProblems }),
  };
}

/** How a score compares with the stored one, in words. */
function comparisonText(comparison: Comparison | undefined): string {
  if (!comparison) return "nothing is stored under this name to compare with";
  const { stored, rescored, change, moved } = comparison;
  const rules = rescored === undefined ? "" : ` (${rescored} by the rules on this machine)`;
  const points = String(Number(Math.abs(change).toFixed(2)));
  const how = change === 0 ? "as much" : `${points} ${change < 0 ? "worse" : "better"}`;
  const by = moved.map(({ field, from, to }) => `${field} ${valueText(from)} → ${valueText(to)}`).join(", ");
  return `stored is ${stored}${rules}: ${how}${by && `, by ${by}`}`;
}

/** The score of the application in words: as it is, and as it would be. */
export function appText({ before, after, shares, hasResults }: AppScores): string {
  if (!hasResults) return "the application has no score yet";
  if (after === undefined) return `the application has no score, since ${noScoreCause(shares, hasResults)}`;
  const was = before === undefined ? "has no score yet" : `scores ${scoreText(before)}`;
  return `the application ${was}, and ${scoreText(after)} with ${before === after ? "this too" : "this"}`;
}

function valueText(value: unknown): string {
  return value === undefined ? "none" : typeof value === "number" ? rounded(value) : String(value);
}

/** What would reach the minimum, in lines. */
function reachLines(
  { alone, together, best }: Reach,
  minimum: number,
  reading: MergedReading | undefined,
): readonly string[] {
  const changes = alone.length > 0 ? alone : together;
  if (changes.length === 0) {
    const known = best > 0 ? `; the best it can get by these values is ${best}` : "";
    return [`the metric does not say what would reach ${minimum}${known}`];
  }
  const how = changes.length === 1 ? "" : alone.length > 0 ? ", any one of" : ", all of";
  return [`to reach ${minimum}${how}:`, ...changes.map((change) => `  ${inWords(change)}${inLines(change, reading)}`)];
}

function inWords({ field, from, to, direction }: InputChange): string {
  const isEnd = typeof to === "boolean" || to === 0 || to === 100;
  const bound = isEnd ? String(to) : `${direction === "lower" ? "at most" : "at least"} ${to}`;
  return `${printable(field)}: ${rounded(from)} → ${bound}`;
}

function rounded(value: number | boolean): string {
  return typeof value === "number" ? String(Number(value.toFixed(4))) : String(value);
}

/** For a percentage of coverage: how many more lines must be covered. Empty for anything else. */
function inLines({ field, to }: InputChange, reading: MergedReading | undefined): string {
  const coverage = reading?.coverage;
  if (field !== "coverage_pct" || !coverage || typeof to !== "number") return "";
  const { covered, total, unit } = coverage;
  const more = Math.ceil((total * to) / 100 - 1e-9) - covered;
  return ` (${more} more of the ${total} ${unit})`;
}
