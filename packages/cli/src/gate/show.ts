import type { InputChange, Reach } from "@maturity/core";
import { noScore, scoreText } from "../asking/words.ts";
import { type MetricName, metricText } from "../metrics.ts";
import type { Output } from "../output.ts";
import type { MergedReading } from "../readings.ts";
import { printable } from "../terminal.ts";
import { type Conditions, type MetricMinimum, minimumOf } from "./conditions.ts";
import type { AppScores, Comparison } from "./stored.ts";

/** What a gate asked for, and whether it holds. */
export interface Verdict {
  readonly text: string;
  readonly met: boolean;
}

/** The verdicts of a gate, one for each condition. */
export function verdictsOf(
  { min, metrics, maxDrop, appMin, noNewProblems }: Conditions,
  scores: readonly JudgedScore[],
  { app, newProblems = [] }: { readonly app?: AppScores | undefined; readonly newProblems?: readonly string[] },
): Verdict[] {
  const drops = maxDrop !== undefined && scores.every(({ comparison }) => (comparison?.change ?? 0) >= -maxDrop);
  const isOf = (own: MetricMinimum) => (score: JudgedScore) =>
    own.scorecard === score.scorecard && own.metric === score.metric;
  const others = scores.filter((score) => !metrics.some((own) => isOf(own)(score)));
  return [
    ...(min === undefined ? [] : [{ text: `at least ${min}`, met: others.every(({ score }) => score >= min) }]),
    ...metrics.map((own) => {
      const score = scores.find(isOf(own));
      const missing = score ? "" : ", and no report feeds it";
      return { text: `${metricText(own)} at least ${own.min}${missing}`, met: (score?.score ?? -1) >= own.min };
    }),
    ...(maxDrop === undefined
      ? []
      : [{ text: maxDrop === 0 ? "no worse than stored" : `at most ${maxDrop} below what is stored`, met: drops }]),
    // Averages of the same numbers differ by a hair, whoever computes them.
    ...(appMin === undefined
      ? []
      : [{ text: `application at least ${appMin}`, met: (app?.after ?? -1) >= appMin - 1e-9 }]),
    ...(noNewProblems ? [{ text: problemsText(newProblems), met: newProblems.length === 0 }] : []),
  ];
}

function problemsText(types: readonly string[]): string {
  return types.length === 0 ? "no new problems" : `no new problems, but there is ${printable(types.join(", "))}`;
}

/** A score that a gate looks at. */
interface JudgedScore extends MetricName {
  readonly score: number;
  readonly comparison?: Comparison | undefined;
}

/** Whether a score by itself passes. */
export function isPassing(conditions: Conditions, score: JudgedScore): boolean {
  const { maxDrop } = conditions;
  const drop = maxDrop === undefined || (score.comparison?.change ?? 0) >= -maxDrop;
  return drop && score.score >= (minimumOf(conditions, score) ?? 0);
}

/** Prints whether each condition holds. */
export function showVerdicts(verdicts: readonly Verdict[], { colors, line }: Output): void {
  for (const { text, met } of verdicts) line(met ? colors.green(`${text}: met`) : colors.red(`${text}: not met`));
}

/** How a score compares with the stored one, in words. */
export function comparisonText(comparison: Comparison | undefined): string {
  if (!comparison) return "nothing is stored yet to compare with";
  const { stored, rescored, change, moved } = comparison;
  const rules = rescored === undefined ? "" : ` (${rescored} by the rules on this machine)`;
  const points = String(Number(Math.abs(change).toFixed(2)));
  const how = change === 0 ? "as much" : `${points} ${change < 0 ? "worse" : "better"}`;
  const by = moved.map(({ field, from, to }) => `${field} ${valueText(from)} → ${valueText(to)}`).join(", ");
  return `stored is ${stored}${rules}: ${how}${by && `, by ${by}`}`;
}

/** The score of the application in words: as it is, and as it would be. */
export function appText({ before, after }: AppScores): string {
  if (after === undefined) return `the application ${noScore}`;
  const was = before === undefined ? "has no score yet" : `scores ${scoreText(before)}`;
  return `the application ${was}, and ${scoreText(after)} with ${before === after ? "this too" : "this"}`;
}

function valueText(value: unknown): string {
  return value === undefined ? "none" : typeof value === "number" ? rounded(value) : String(value);
}

/** Prints what would reach the minimum. */
export function showReach(reach: Reach, minimum: number, reading: MergedReading | undefined, output: Output): void {
  for (const line of reachLines(reach, minimum, reading)) output.line(`  ${line}`);
}

/** What would reach the minimum, in lines. */
export function reachLines(
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
