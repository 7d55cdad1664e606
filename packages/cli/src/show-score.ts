import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { barBefore, scorePaint } from "./asking/words.ts";

/** Prints a score with its reasons. */
export function showScore(
  score: {
    readonly metric: string;
    readonly score: number;
    readonly reasons: readonly { readonly text: string }[];
    readonly scorer: string;
  },
  output: Output,
): void {
  const { colors } = output;
  const shown = scorePaint(score.score, output)(String(score.score));
  const title = `${printable(score.metric)} ${barBefore(score.score, output)}${shown}`;
  output.line(`${colors.bold(title)} ${colors.dim(`by ${printable(score.scorer)}`)}`);
  for (const { text } of score.reasons) output.line(`  ${printable(text)}`);
}
