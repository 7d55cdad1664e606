import type { Held, Reading, ReadOptions } from "@maturity/reports";
import type { Flags } from "./command.ts";
import type { Output } from "./output.ts";
import { spokenName } from "./report-files.ts";
import { shellWord } from "./terminal.ts";
import { isFlagged, kindFlags } from "./ways-out.ts";

/** Findings of a report that belong to another metric or problem than the one it was read for. */
export interface Unsent extends Pick<Held, "what"> {
  readonly file: string;
  /** The flag with which a command uses these findings instead. */
  readonly flag: string;
}

/** @param use what the report was read for: a score or a problem */
export function unsentOf({ held, metric, kind }: Reading, file: string, use: ReadOptions["for"]): Unsent[] {
  return held.flatMap((one) => {
    if (use !== "problem") {
      return one.metric && one.metric !== metric ? [{ what: one.what, file, flag: `--metric ${one.metric}` }] : [];
    }
    const isOther = kind !== "findings" && one.kind !== kind;
    return isOther && isFlagged(one.kind) ? [{ what: one.what, file, flag: kindFlags[one.kind] }] : [];
  });
}

/** Prints what else the reports hold, with a command line that would use it. */
export function showUnsent(unsent: readonly Unsent[], command: string, flags: Flags, output: Output): void {
  for (const { what, file, flag } of unsent) {
    const words = [
      "maturity",
      command,
      flag,
      ...repeated(flags),
      shellWord(file === "-" ? file : file.replace(/^-/, "./-")),
    ];
    output.note(`${spokenName(file)} also holds ${what}, left out here: ${words.join(" ")}`);
  }
}

const unrepeated: ReadonlySet<string> = new Set([
  ...["metric", "raw", "assumeScanned", "json", "ndjson", "output", "quiet", "verbose"],
]);

/** The flags to repeat in the proposed command line: all but those that choose what of the report is used, or how it is printed. */
function repeated(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (unrepeated.has(name)) return [];
    // Both are true where their flags are not given.
    if (name === "worse" || name === "newProblems")
      return value === true ? [] : [`--no-${name === "worse" ? "worse" : "new-problems"}`];
    if (Object.hasOwn(kindFlags, name) || value === undefined || value === false) return [];
    const values = Array.isArray(value) ? value : [value];
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : values.flatMap((one) => [flag, shellWord(String(one))]);
  });
}
