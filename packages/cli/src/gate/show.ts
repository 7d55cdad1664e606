import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { undatedText } from "@maturity/gate/ages";
import type { Conditions } from "@maturity/gate/conditions";
import type { JudgedScore, Judgement } from "@maturity/gate/judge";
import { appText, judgedLines } from "@maturity/gate/words";
import type { Summary, SummaryScore } from "../summary/summary.ts";

/** Prints whether each condition holds. */
export function showVerdicts({ conditions, verdicts, app, ages }: Judgement, { colors, line, warn }: Output): void {
  const undated = ages && undatedText(ages);
  if (undated !== undefined) warn(undated);
  if (app && conditions.appMin !== undefined) line(appText(app));
  for (const { text, met } of verdicts) {
    line(met ? colors.green(`${printable(text)}: met`) : colors.red(`${printable(text)}: not met`));
  }
}

/** Prints below a score how it compares with the stored one, and what would reach the minimum. */
export function showJudged(score: JudgedScore, conditions: Conditions, output: Output): void {
  for (const line of judgedLines(score, conditions)) output.line(`  ${printable(line)}`);
}

/**
 * What the summary of a run shows of a gate.
 *
 * @param faults of reports that could not be read
 */
export function gateSummary(
  { conditions, scores, verdicts, isMet, app }: Judgement,
  faults: readonly object[],
): Pick<Summary, "title" | "verdicts" | "app"> & { readonly scores: readonly SummaryScore[] } {
  return {
    title: faults.length > 0 ? "not all reports could be read" : isMet ? "gate met" : "gate not met",
    scores: scores.map((score) => ({
      ...score,
      former: score.comparison?.rescored ?? score.comparison?.stored,
      notes: judgedLines(score, conditions).map((line) => line.trim()),
    })),
    verdicts,
    ...(app && { app: appText(app) }),
  };
}
