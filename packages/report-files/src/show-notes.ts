import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { shellWord } from "@maturity/command-line/terminal";
import type { Reading } from "@maturity/reports";
import { spokenName } from "./report-files.ts";
import type { Unsent } from "./unsent.ts";
import { kindFlags } from "./ways-out.ts";

/** Prints the warnings of readings and then their notes, each only once. */
export function showNotes(readings: readonly Pick<Reading, "warnings" | "notes">[], output: Output): void {
  for (const warning of new Set(readings.flatMap(({ warnings }) => warnings))) output.warn(warning);
  for (const note of new Set(readings.flatMap(({ notes }) => notes))) output.note(note);
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
