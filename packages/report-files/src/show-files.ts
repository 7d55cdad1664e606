import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { endOf, padded, widthOf } from "@maturity/command-line/text-width";
import { summaryOfFile } from "./file-summary.ts";
import type { Verdict } from "./verdict.ts";

/** At most so many files that are no reports are listed one by one. */
const maxOthers = 20;
/** The column of files gets no narrower, in columns of the terminal. */
const narrowest = 20;

/**
 * Prints a line for each file: its path, its format and what becomes of it. On a terminal a text that is too long for its
 * line stands below it. If there are many files that are no reports, these are only counted.
 */
export function showFiles(verdicts: readonly Verdict[], output: Output): void {
  const known = verdicts.filter(({ refusal }) => refusal?.state !== "passed over" || refusal.isReport);
  const others = verdicts.length - known.length;
  const shown = others > maxOthers ? known : verdicts;
  const rows = shown.map((verdict) => ({ verdict, file: printable(verdict.file), format: verdict.format ?? "-" }));
  const { width = Number.POSITIVE_INFINITY } = output;
  const formatWidth = Math.max(0, ...rows.map(({ format }) => format.length));
  const room = Math.max(narrowest, width - formatWidth - "    passed over:".length);
  const fileWidth = Math.min(Math.max(0, ...rows.map(({ file }) => widthOf(file))), room);
  for (const { verdict, file, format } of rows) {
    const start = `${padded(endOf(file, fileWidth), fileWidth)}  ${format.padEnd(formatWidth)}  `;
    const paint = painter(verdict, output);
    const text = printable(inWords(verdict));
    const isLong = widthOf(start) + widthOf(text) > width;
    output.line(start + paint(isLong ? `${verdict.refusal?.state ?? "taken"}:` : text));
    if (isLong) output.paragraph(text.replace(/^(?:passed over|failed): /, ""), "    ", paint);
  }
  if (shown.length < verdicts.length) {
    output.line(output.colors.dim(`${others} other files are no reports; --json names them`));
  }
}

function inWords(verdict: Verdict): string {
  const { state, metrics = [], problems = [], reason = "" } = summaryOfFile(verdict);
  const taken = [...metrics, ...problems.map((type) => `problem ${type}`)].join(", ");
  return state === "taken" ? taken : `${state}: ${reason}${taken && ` (feeds ${taken})`}`;
}

function painter({ refusal }: Verdict, { colors }: Output): (text: string) => string {
  if (!refusal) return colors.green;
  return refusal.state === "failed" ? colors.red : colors.dim;
}
