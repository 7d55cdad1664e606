import type { Reading, ReportError } from "@maturity/reports";
import { shellWord } from "../terminal.ts";
import { besideMetric, isFlagged, severityFlag, type TryRead } from "../ways-out.ts";
import type { AskedProblem } from "./asked-problems.ts";

/**
 * What to give for a file to be taken after all, to follow a reason; nothing when nothing helps.
 *
 * @param problem what it was read for, if for a problem
 * @param attempt reads it in another way
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

/** The claim that makes a problem of a report, with the severity that one without severities needs to open it. */
function workingClaim(file: string, asked: AskedProblem, { problem }: Reading): string {
  const isComplete = asked.severity || problem?.severity || problem?.count === 0;
  return problemClaimText(file, isComplete ? asked : { ...asked, severity: "SEVERITY" });
}

export function problemClaimText(
  file: string,
  { type, kind, severity }: Omit<AskedProblem, "severity"> & { readonly severity?: string },
): string {
  return claimText("--problems", file, [type, kind, severity].filter(Boolean).join(","));
}

/** A claim about one file, as a shell takes it. */
export function claimText(flag: string, file: string, value: string): string {
  return `${flag} ${shellWord(`${patternOf(file)}=${value}`)}`;
}

/** What leaves a file of a directory out, as a shell takes it. */
export function excludeText(file: string): string {
  return `--exclude ${shellWord(patternOf(file))}`;
}

/** No argument holds a byte that is no UTF-8, so a pattern stands for it. */
function patternOf(file: string): string {
  return file.replace(/\p{Cs}/gu, "?");
}

/** A few names of files, and how many more there are. */
export function fileNames(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}
