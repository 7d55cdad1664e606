import { shellWord } from "@maturity/command-line/terminal";
import type { Reading, ReportError } from "@maturity/reports";
import type { AskedProblem } from "./asked-problems.ts";
import { besideMetric, isFlagged, severityFlag, type TryRead } from "./ways-out.ts";

/**
 * The end of a reason why a file is refused: the flags with which it would be used. Empty if there are none.
 *
 * @param problem the problem that the file was read for, if it was read for one
 * @param attempt reads the file with other options, so that only flags that work are proposed
 */
export function waysFor(
  file: string,
  { code, waysOut }: Pick<ReportError, "code" | "waysOut">,
  problem: AskedProblem | undefined,
  attempt: TryRead,
): string {
  const flags = waysOut.flatMap((way): string[] => {
    const reading = attempt(way);
    if (!reading) return [];
    if ("metric" in way) return [claimText("--metric", file, String(way.metric)) + besideMetric(way)];
    if ("kind" in way && isFlagged(way.kind)) {
      return [workingClaim(file, { type: "TYPE", ...problem, kind: way.kind }, reading)];
    }
    if ("assumeSeverity" in way) return [severityFlag(way.assumeSeverity)];
    return "assumeScanned" in way ? ["--assume-scanned, if you know that it was looked for"] : [];
  });
  const found = !problem && code !== "empty-report" ? attempt({ for: "problem" }) : undefined;
  if (found) flags.push(workingClaim(file, { type: "TYPE" }, found));
  const [format, another] = waysOut.flatMap((way) => ("format" in way && attempt(way) ? [String(way.format)] : []));
  if (format) flags.push(claimText("--format", file, another ? "NAME" : format));
  return flags.length > 0 ? `; give ${flags.join(" or ")}` : "";
}

/** The flag that turns a report into a problem. It has a place for the severity if the report names none. */
function workingClaim(file: string, asked: AskedProblem, { problem }: Reading): string {
  const isComplete = asked.severity || problem?.severity || problem?.count === 0;
  return problemClaimText(file, isComplete ? asked : { ...asked, severity: "SEVERITY" });
}

/** A flag `--problems` for one file, quoted for a shell. */
export function problemClaimText(
  file: string,
  { type, kind, severity }: Omit<AskedProblem, "severity"> & { readonly severity?: string },
): string {
  return claimText("--problems", file, [type, kind, severity].filter(Boolean).join(","));
}

/** A flag with a pattern for one file, quoted for a shell. */
export function claimText(flag: string, file: string, value: string): string {
  return `${flag} ${shellWord(`${patternOf(file)}=${value}`)}`;
}

/** The flag that leaves a file of a directory out, quoted for a shell. */
export function excludeText(file: string): string {
  return `--exclude ${shellWord(patternOf(file))}`;
}

/** A pattern that matches the file. `?` replaces bytes that are no UTF-8, because no argument can contain them. */
function patternOf(file: string): string {
  return file.replace(/\p{Cs}/gu, "?");
}

/** The first few names of files, and the number of the others. */
export function fileNames(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}
