import type { Output } from "./output.ts";
import { printable } from "./terminal.ts";

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
  const paint = score.score >= 80 ? colors.green : score.score >= 50 ? colors.yellow : colors.red;
  const title = `${printable(score.metric)} ${paint(String(score.score))}`;
  output.line(`${colors.bold(title)} ${colors.dim(`by ${printable(score.scorer)}`)}`);
  for (const { text } of score.reasons) output.line(`  ${printable(text)}`);
}
