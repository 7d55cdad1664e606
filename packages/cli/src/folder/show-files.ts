import type { OutputStream } from "../context.ts";
import type { Output } from "../output.ts";
import { printable } from "../terminal.ts";
import type { Verdict } from "./verdict.ts";

/** What `--json` shows of a file. */
export interface FileSummary {
  readonly file: string;
  readonly state: "taken" | "passed over" | "failed";
  readonly format?: string;
  readonly tool?: string;
  readonly metrics?: readonly string[];
  readonly problems?: readonly string[];
  readonly code?: string;
  readonly reason?: string;
}

/** What `--json` shows of a file. */
export function summaryOfFile({ file, format, uses, refusal }: Verdict): FileSummary {
  const metrics = uses.flatMap(({ about }) => ("metric" in about ? about.metric.metric : []));
  const problems = uses.flatMap(({ about }) => ("problem" in about ? about.problem.type : []));
  const tool = uses[0]?.reading.tool;
  return {
    file,
    state: refusal?.state ?? "taken",
    ...(format && { format }),
    ...(tool && { tool }),
    ...(metrics.length > 0 && { metrics }),
    ...(problems.length > 0 && { problems }),
    ...(refusal && { code: refusal.code, reason: refusal.reason }),
  };
}

/** At most so many files that are no reports are listed one by one. */
const maxOthers = 20;
/** Fewest columns that a terminal is taken to have. */
const narrowest = 60;

/**
 * Prints a line for each file: its path, its format and what becomes of it. On a terminal long texts are wrapped to its
 * width. If there are many files that are no reports, these are only counted.
 */
export function showFiles(verdicts: readonly Verdict[], output: Output, { isTTY, columns = 80 }: OutputStream): void {
  const known = verdicts.filter(({ refusal }) => refusal?.state !== "passed over" || refusal.isReport);
  const others = verdicts.length - known.length;
  const shown = others > maxOthers ? known : verdicts;
  const rows = shown.map((verdict) => [printable(verdict.file), printable(verdict.format ?? "-"), verdict] as const);
  const width = isTTY ? Math.max(columns, narrowest) : Number.POSITIVE_INFINITY;
  const fileWidth = Math.min(Math.max(0, ...rows.map(([file]) => file.length)), isTTY ? Math.floor(width * 0.4) : 100);
  const formatWidth = Math.max(0, ...rows.map(([, format]) => format.length));
  const indent = fileWidth + formatWidth + 4;
  for (const [file, format, verdict] of rows) {
    const [first = "", ...rest] = wrapped(inWords(verdict), width - indent);
    const name = isTTY ? shortened(file, fileWidth) : file;
    const paint = painter(verdict, output);
    output.line(`${name.padEnd(fileWidth)}  ${format.padEnd(formatWidth)}  ${paint(first)}`);
    for (const line of rest) output.line(" ".repeat(indent) + paint(line));
  }
  if (shown.length < verdicts.length) {
    output.line(output.colors.dim(`${others} other files are no reports; --json names them`));
  }
}

function inWords(verdict: Verdict): string {
  const { state, metrics = [], problems = [], reason = "" } = summaryOfFile(verdict);
  const taken = [...metrics, ...problems.map((type) => `problem ${type}`)].join(", ");
  if (state === "taken") return printable(taken);
  return printable(`${state}: ${reason}${taken && ` (feeds ${taken})`}`);
}

function painter({ refusal }: Verdict, { colors }: Output): (text: string) => string {
  if (!refusal) return colors.green;
  return refusal.state === "failed" ? colors.red : colors.dim;
}

/** Cuts off the beginning of a path, because its end says more. */
function shortened(file: string, width: number): string {
  return file.length > width ? `…${file.slice(file.length - width + 1)}` : file;
}

/** Breaks a text into lines of at most `width` characters, at blanks if possible. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(" ", width);
    const end = blank > width / 2 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
