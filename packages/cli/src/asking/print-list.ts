import type { AnySubmission, Client } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { showTable } from "@maturity/command-line/table";
import { UsageError } from "@maturity/command-line/usage-error";
import { type Command, Option } from "commander";
import { collect } from "../command.ts";
import type { ListTable } from "./lists.ts";
import { unknownNames } from "./unknown-names.ts";

/** How many lines a table has without `--limit`. */
const tableLimit = 100;

const pageItems = 1_000;

/** Of teams with their metrics. */
const pageOfTeams = 100;

/** The parameters of a list. */
export type Query = Readonly<Record<string, unknown>>;

const nameFilters = { area: "area", team: "team", app: "application", env: "environment" } as const;

/** Adds the flags by which a command narrows a list to names. */
export function addNameFilters(command: Command): void {
  command.optionsGroup("What to list; most may stand several times:");
  for (const [field, noun] of Object.entries(nameFilters)) {
    command.option(`--${field} <name>`, `only of this ${noun}`, collect);
  }
}

/** Adds the flags that say in which form a list is printed. */
export function addFormFlags(command: Command): void {
  command
    .option("--limit <number>", `how many at the most; default: ${tableLimit} in a table, else all`)
    .optionsGroup("Output:")
    .option("--csv", "print everything as CSV, as the service sends it");
}

/** An option that may stand several times and takes only these values. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description).choices(values);
  const check = option.parseArg;
  return option.argParser((value: string, former?: readonly string[]) => {
    check?.(value, undefined as never);
    return collect(value, former);
  });
}

/** The form in which a list is printed if it is not JSON: a table of so many lines, or CSV. */
export interface Form {
  readonly csv: boolean;
  readonly limit: number | undefined;
}

/** @throws UsageError for a limit that is none, and flags that exclude each other */
export function formOf({ limit, csv, json, ndjson }: Flags): Form {
  if (csv === true && (json ?? ndjson) === true) {
    throw new UsageError(`give ${json ? "--json" : "--ndjson"} or --csv, not both`);
  }
  if (csv === true && limit !== undefined) {
    throw new UsageError("--csv prints everything, so it takes no --limit; --json takes one");
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(String(limit))) {
    throw new UsageError("--limit must be a whole number from 1 on");
  }
  return { csv: csv === true, limit: limit === undefined ? undefined : Number(limit) };
}

/**
 * Prints a list.
 *
 * @param query as the service takes it
 */
export async function printList(
  table: ListTable,
  query: Query,
  { csv, limit }: Form,
  client: Client<AnySubmission>,
  output: Output,
): Promise<void> {
  output.progress("asking …");
  if (csv) {
    for await (const text of table.open(client, query).csv()) await output.write(text);
    return;
  }
  const most = limit ?? (output.json ? Number.POSITIVE_INFINITY : tableLimit);
  const order = output.json || !table.worstFirst ? {} : { sort: table.worstFirst };
  const page = { limit: Math.min(most, query.metrics ? pageOfTeams : pageItems) };
  const shown: object[] = [];
  let printed = 0;
  let about: { readonly as_of: string; readonly total: number } | undefined;
  for await (const { items, as_of, total } of table.open(client, { ...order, ...query, ...page }).pages()) {
    about ??= { as_of, total };
    const wanted = items.slice(0, most - printed);
    printed += wanted.length;
    if (!output.json) shown.push(...wanted);
    else for (const item of wanted) await output.item(item);
    if (printed >= most) break;
  }
  const { as_of: asOf = "", total = 0 } = about ?? {};
  output.items(about ?? {});
  const noun = (query.all === true && table.nounOfAll) || table.noun;
  if (printed === 0) {
    output.line(table.empty ?? `no ${noun}s${Object.keys(query).length > 0 ? " match the flags" : ""}`);
    for (const { text } of await unknownNames(client, query)) output.warn(text);
    return;
  }
  if (output.json) return;
  showTable(table.columns(output, asOf, shown), shown as never[], output);
  if (total > printed) output.note(`${printed} of ${total} ${noun}s; --limit shows more, --json and --csv all`);
}
