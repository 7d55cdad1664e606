import { shippedMetrics } from "@maturity/client";
import { own } from "@maturity/command-line/own";
import { severities } from "@maturity/core/wire";
import type { Command, Option } from "commander";
import { calledName, findCommand } from "./program.ts";
import { formatNames } from "./report-formats.ts";

/** The values to propose for these flags. */
const values: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  "--metric": () => Object.keys(shippedMetrics),
  "--severity": () => severities,
  "--format": formatNames,
};

/**
 * Proposals for the last word of a command line.
 *
 * @param words the words after the name of the program; the last one is the word that is being typed, often still empty
 * @returns an empty list where a file name may follow, so that the shell proposes files
 */
export async function complete(program: Command, words: readonly string[]): Promise<string[]> {
  const current = words.at(-1) ?? "";
  const isHelp = words[0] === "help";
  const former = words.slice(isHelp ? 1 : 0, -1);
  const begins = (candidate: string) => candidate.startsWith(current);
  const below = ({ commands }: Command) => commands.map((one) => one.name()).filter(begins);
  if (former.length === 0) return [...below(program), ...(isHelp ? [] : ["help"].filter(begins))];
  const command = findCommand(program, calledName(former).split(" "));
  if (!command) return [];
  const further = former.length === 1 ? below(command) : [];
  if (isHelp) return further;
  // bash splits `--metric=sast` into three words: the flag, `=` and the value.
  const before = command.options.find(({ long, short }) =>
    [long, short].includes(words.at(words.at(-2) === "=" ? -3 : -2)),
  );
  if (before && takesValue(before)) return valuesOf(before, current);
  if (current.startsWith("-"))
    return [...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))), "--help"].filter(begins);
  return [...further, ...(command.registeredArguments[0]?.argChoices ?? []).filter(begins)];
}

/** The values of a flag. If it takes `PATTERN=VALUE` and a pattern is typed already, each begins with that pattern. */
async function valuesOf({ argChoices, long, flags }: Option, current: string): Promise<string[]> {
  const pattern = flags.includes("pattern=") ? current.slice(0, current.lastIndexOf("=") + 1) : "";
  const all = argChoices ?? (await own(values, long ?? "")?.()) ?? [];
  return all.map((value) => pattern + value).filter((value) => value.startsWith(current));
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
