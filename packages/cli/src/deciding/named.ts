import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Command } from "commander";

/** The fields that name an application, from the widest on. */
export const appFields = ["area", "team", "app"] as const;

/** Adds the flags that name an application. They alone count: what decides about others is not taken from a file. */
export function addAppNames(command: Command, what: string): void {
  command
    .optionsGroup(`${what}, by these flags alone:`)
    .option("--area <name>", "its area")
    .option("--team <name>", "its team")
    .option("--app <name>", "the application");
}

/**
 * The names that flags give.
 *
 * @param flags by their names on the command line, without the dashes
 * @throws UsageError for a name that the service would refuse
 */
export function namesOf<Field extends string>(flags: Flags, fields: readonly Field[]): Partial<Record<Field, string>> {
  const given = fields.flatMap((field) => {
    const value = flags[field.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value !== "string") return [];
    requireName(`--${field}`, value);
    return [[field, value] as const];
  });
  return Object.fromEntries(given) as Partial<Record<Field, string>>;
}

/** @throws UsageError if one of the flags that name an application is missing */
export function requireAppNames(flags: Flags): { readonly area: string; readonly team: string; readonly app: string } {
  const { area, team, app } = namesOf(flags, appFields);
  if (area === undefined || team === undefined || app === undefined) {
    const missing = appFields.filter((field) => flags[field] === undefined).map((field) => `--${field}`);
    throw new UsageError(`give ${missing.join(" and ")} too: an application is named by its area, team and app`);
  }
  return { area, team, app };
}

/**
 * A text that a command needs.
 *
 * @param what that the text says, for the error
 * @throws UsageError if it is missing, or the service would refuse it
 */
export function requireText(flags: Flags, name: string, what: string, maximum?: number): string {
  const text = flags[name];
  if (typeof text !== "string") throw new UsageError(`give --${name}: ${what}`);
  requireName(`--${name}`, text, maximum);
  return text;
}

/** @throws UsageError for a `--label` that is no name and value */
export function labelOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError(`--label must be a name and a value, such as kind=service, and is ${text}`);
}
