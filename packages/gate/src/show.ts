import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { undatedText } from "./ages.ts";
import type { Conditions } from "./conditions.ts";
import type { JudgedScore, Judgement } from "./judge.ts";
import { appText, judgedLines } from "./words.ts";

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
