import { severities } from "@maturity/core";
import type { Command, Option } from "commander";
import { shippedMetrics } from "./metrics.ts";
import { own } from "./own.ts";

/** Values by the flag that takes them. */
const values: Readonly<Record<string, () => readonly string[]>> = {
  "--metric": () => Object.keys(shippedMetrics),
  "--severity": () => severities,
};

/**
 * What may stand for the last word of a command line.
 *
 * @param words behind the name of the program; the last one is what was typed so far, often empty
 * @returns nothing where a file name is as good as anything else
 */
export function complete(program: Command, words: readonly string[]): string[] {
  const current = words.at(-1) ?? "";
  const [name] = words;
  const begins = (candidate: string) => candidate.startsWith(current);
  if (words.length <= 1) return [...program.commands.map((one) => one.name()), "help"].filter(begins);
  const command = program.commands.find((one) => one.name() === name);
  if (name === "help") return program.commands.map((one) => one.name()).filter(begins);
  if (!command) return [];
  // bash makes words of `--metric=sast`: the flag, `=`, and the value.
  const before = command.options.find(({ long, short }) =>
    [long, short].includes(words.at(words.at(-2) === "=" ? -3 : -2)),
  );
  if (before && takesValue(before)) return valuesOf(before, current);
  if (current.startsWith("-")) return [...command.options.flatMap(({ long }) => long ?? []), "--help"].filter(begins);
  return (command.registeredArguments[0]?.argChoices ?? []).filter(begins);
}

/** Values of a flag; behind `PATTERN=`, where it takes one, with that before them. */
function valuesOf({ argChoices, long, flags }: Option, current: string): string[] {
  const pattern = flags.includes("pattern=") ? current.slice(0, current.lastIndexOf("=") + 1) : "";
  const all = argChoices ?? own(values, long ?? "")?.() ?? [];
  return all.map((value) => pattern + value).filter((value) => value.startsWith(current));
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
