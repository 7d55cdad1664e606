import type { AnySubmission, Client } from "@maturity/client";
import { severities } from "@maturity/core";
import { Argument, Option } from "commander";
import { type ListName, type ListTable, lists } from "../asking/lists.ts";
import { tableLines } from "../asking/table.ts";
import { unknownNames } from "../asking/unknown-names.ts";
import { addExamples, addServiceFlags, type CommandModule, collect, type Flags, valuesOf } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { metricNamed } from "../metrics.ts";
import type { Output } from "../output.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { UsageError } from "../usage-error.ts";

/** How many lines a table has without `--limit`. */
const tableLimit = 100;

/** `maturity list`: what the service has stored, as a table, as JSON or as CSV. */
export const list: CommandModule = {
  define(command) {
    command
      .description(
        "Lists what the service has stored, the worst first. It narrows by its flags alone: maturity.yaml and the " +
          "environment say where the service is, not what to list.",
      )
      .addArgument(new Argument("<what>", "what to list").choices(Object.keys(lists)))
      .optionsGroup("What to list; most may stand several times:")
      .option("--area <name>", "only of this area", collect)
      .option("--team <name>", "only of this team", collect)
      .option("--app <name>", "only of this application", collect)
      .option("--env <name>", "only of this environment", collect)
      .option("--below <score>", "only those that score below this; not of problems");
    command
      .option("-m, --metric <name>", "scores: only of this metric, image_scan or cost.budget", collect)
      .option("--scorecard <name>", "scores: only of this scorecard", collect)
      .addOption(choice("--state <state>", "scores: only in this state", ["fresh", "late", "stale"]))
      .option("--scorer <package>", "scores: only of this package, such as @maturity/security@1.0.0", collect)
      .addOption(choice("--severity <severity>", "problems: only of this severity", severities))
      .option("--type <name>", "problems: only of this type", collect)
      .option("--all", "problems: resolved ones too")
      .option(
        "--sort <order>",
        "score, -score, coverage, change or name; of scores score, -score, key or name; of problems severity, age or name",
      )
      .option("--limit <number>", `how many at the most; default: ${tableLimit} in a table, else all`)
      .optionsGroup("Output:")
      .option("--csv", "print everything as CSV, as the service sends it");
    addServiceFlags(command);
    addExamples(command, [
      ["where a team has to do something", "maturity list apps --team checkout --below 60"],
      ["what nobody looked at for long", "maturity list scores --state stale"],
      ["the gravest problems of production", "maturity list problems --env prod"],
      ["everything for a spreadsheet", "maturity list apps --csv > apps.csv"],
      ["by a program, an object a line", "maturity list scores --metric image_scan --json | jq .score"],
    ]);
  },

  async run([what = ""], flags, context, output) {
    const table = lists[what as ListName];
    const query = queryOf(what, table, flags);
    const limit = limitOf(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    output.progress("asking …");
    if (flags.csv === true) {
      for await (const text of table.open(client, query).csv()) await output.write(text);
    } else if (output.json) {
      await printItems(table, client, query, limit ?? Number.POSITIVE_INFINITY, output);
    } else {
      await printTable(table, client, query, limit ?? tableLimit, output);
    }
    return exitCodes.done;
  },
};

/** An option that may stand several times and takes only these values. */
function choice(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description).choices(values);
  const check = option.parseArg;
  return option.argParser((value: string, former?: readonly string[]) => {
    check?.(value, undefined as never);
    return collect(value, former);
  });
}

/** Every flag that narrows some list, with the parameter of the service. */
const parameters: Readonly<Record<string, string>> = {
  ...{ area: "area", team: "team", app: "app", env: "env", below: "below" },
  ...{ scorecard: "scorecard", state: "state", scorer: "scorer" },
  ...{ severity: "severity", type: "problem_type", all: "all" },
};

/** @throws UsageError for flags of another list, and values that no list takes */
function queryOf(what: string, { filters }: ListTable, flags: Flags): Query {
  const foreign = [...Object.keys(parameters), "metric"].find(
    (flag) => flags[flag] !== undefined && !filters.includes(flag),
  );
  if (foreign) {
    const of = Object.keys(lists).filter((name) => lists[name as ListName].filters.includes(foreign));
    throw new UsageError(`--${foreign} is of list ${of.join(" and ")}, not of list ${what}`);
  }
  if (flags.below !== undefined && !(Number(flags.below) >= 0 && Number(flags.below) <= 100)) {
    throw new UsageError("--below must be from 0 to 100");
  }
  const given = Object.entries(parameters).flatMap(([flag, parameter]) =>
    flags[flag] === undefined ? [] : [[parameter, flags[flag]] as const],
  );
  const metrics = valuesOf(flags.metric).map(metricNamed);
  return {
    ...Object.fromEntries(given),
    ...(metrics.length > 0 && { metric: metrics.map(({ metric }) => metric) }),
    ...(metrics.length > 0 &&
      flags.scorecard === undefined && { scorecard: metrics.map(({ scorecard }) => scorecard) }),
    ...(flags.sort !== undefined && { sort: flags.sort }),
  };
}

type Query = Readonly<Record<string, unknown>>;

/** @throws UsageError */
function limitOf({ limit, csv, json }: Flags): number | undefined {
  if (csv === true && json === true) throw new UsageError("give --json or --csv, not both");
  if (limit === undefined) return undefined;
  if (csv === true) throw new UsageError("--csv prints everything, so it takes no --limit; --json takes one");
  if (!/^[1-9]\d{0,8}$/.test(String(limit))) throw new UsageError("--limit must be a whole number from 1 on");
  return Number(limit);
}

const pageItems = 1_000;

async function printItems(
  table: ListTable,
  client: Client<AnySubmission>,
  query: Query,
  limit: number,
  output: Output,
): Promise<void> {
  let printed = 0;
  for await (const item of table.open(client, { ...query, limit: Math.min(limit, pageItems) })) {
    await output.item(item);
    if (++printed === limit) return;
  }
  if (printed === 0) await tellUnknown(client, query, output);
}

/** Says which of the names in a query lead to nothing, because nothing has them. */
async function tellUnknown(client: Client<AnySubmission>, query: Query, output: Output): Promise<void> {
  for (const { text } of await unknownNames(client, query)) output.warn(text);
}

async function printTable(
  table: ListTable,
  client: Client<AnySubmission>,
  query: Query,
  limit: number,
  output: Output,
): Promise<void> {
  const { worstFirst: sort } = table;
  const ordered = { ...(sort && { sort }), ...query, limit: Math.min(limit, pageItems) };
  const listing = table.open(client, ordered);
  const first = await listing.page();
  const items = [...first.items];
  for (let { next } = first; next !== null && items.length < limit; ) {
    const page = await listing.page(next);
    items.push(...page.items);
    next = page.next;
  }
  if (items.length === 0) {
    output.line(`no ${table.noun}s${Object.keys(query).length > 0 ? " that the flags leave" : ""}`);
    await tellUnknown(client, query, output);
    return;
  }
  const shown = items.slice(0, limit);
  for (const line of tableLines(table.columns(output, first.as_of), shown as never[], output)) output.line(line);
  if (first.total > shown.length) {
    output.note(`${shown.length} of ${first.total} ${table.noun}s; --limit shows more, --json and --csv all`);
  }
}
