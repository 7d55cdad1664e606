import type { WayOut } from "@maturity/reports";
import { shellWord } from "../terminal.ts";
import { isFlagged } from "../ways-out.ts";

/**
 * What to give for a file to be taken after all, to follow a reason; nothing when nothing helps.
 *
 * @param problem the type of the one it was read for
 * @param listsFindings whether a problem can be made of it without naming a kind
 */
export function waysFor(
  file: string,
  ways: readonly WayOut[],
  code: string,
  { problem, listsFindings }: { readonly problem: string | undefined; readonly listsFindings: boolean },
): string {
  const flags = ways.flatMap((way): string[] => {
    if ("metric" in way) return [claimText("--metric", file, String(way.metric))];
    if ("kind" in way && isFlagged(way.kind))
      return [claimText("--problems", file, `${problem ?? "TYPE"},${way.kind}`)];
    return "assumeScanned" in way ? ["--assume-scanned, if you know that it was looked for"] : [];
  });
  if (problem === undefined && listsFindings && code !== "unreadable-report" && code !== "failed-scan") {
    flags.push(claimText("--problems", file, "TYPE"));
  }
  if (code === "empty-report") flags.push(claimText("--format", file, "NAME"));
  return flags.length > 0 ? `; give ${flags.join(" or ")}` : "";
}

/** A claim about one file, as a shell takes it. No argument holds a byte that is no UTF-8, so a pattern stands for it. */
export function claimText(flag: string, file: string, value: string): string {
  return `${flag} ${shellWord(`${file.replace(/\p{Cs}/gu, "?")}=${value}`)}`;
}

/** A few names of files, and how many more there are. */
export function fileNames(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}
