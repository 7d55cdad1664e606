import { severities } from "@maturity/core/wire";
import { Argument } from "commander";
import { type ListName, type ListTable, lists } from "../asking/lists.ts";
import { addFormFlags, addNameFilters, choice, formOf, printList, type Query } from "../asking/print-list.ts";
import { dayOf } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule, collect, type Flags, valuesOf } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { type MetricName, metricNamed } from "../metrics.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity list`: what the service has stored, as a table, as JSON or as CSV. */
export const list: CommandModule = {
  define(command) {
    command
      .description(
        "Lists what the service has stored, the worst first. It narrows by its flags alone: maturity.yaml and the " +
          "environment say where the service is, not what to list.",
      )
      .addArgument(new Argument("<what>", "what to list").choices(Object.keys(lists)));
    addNameFilters(command);
    command
      .option("--below <score>", "only those that score below this; not of problems")
      .option("--since <day>", "apps, teams, areas: from when on the change counts, 2026-01-31 or 30d, the default")
      .option("--missing <metric>", "apps: only those that never reported this metric", collect)
      .option("--level <name>", "apps: only of this level, such as silver, or none", collect)
      .option("-m, --metric <name>", "scores: only of this metric, image_scan or cost.budget", collect)
      .option("--scorecard <name>", "scores: only of this scorecard", collect)
      .addOption(choice("--state <state>", "scores: only in this state", ["fresh", "late", "stale"]))
      .option("--scorer <package>", "scores: only of this package, such as @maturity/security@1.0.0", collect)
      .addOption(choice("--severity <severity>", "problems: only of this severity", severities))
      .option("--type <name>", "problems: only of this type", collect)
      .option("--all", "problems: resolved ones too")
      .option(
        "--sort <order>",
        "score, -score, coverage, change or name; of scores score, -score, age, key or name; of problems severity, age or name",
      );
    addFormFlags(command);
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
    const query = queryOf(what, table, flags, context.now());
    const form = formOf(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(table, query, form, client, output);
    return exitCodes.done;
  },
};

/** Every flag that narrows some list, with the parameter of the service. */
const parameters: Readonly<Record<string, string>> = {
  ...{ area: "area", team: "team", app: "app", env: "env", below: "below" },
  ...{ level: "level", scorecard: "scorecard", state: "state", scorer: "scorer" },
  ...{ severity: "severity", type: "problem_type", all: "all" },
};

/** @throws UsageError for flags of another list, and values that no list takes */
function queryOf(what: string, { filters }: ListTable, flags: Flags, now: number): Query {
  const foreign = [...Object.keys(parameters), "metric", "missing", "since"].find(
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
  const missing = valuesOf(flags.missing).map(metricNamed);
  return {
    ...Object.fromEntries(given),
    ...(metrics.length > 0 && { metric: metrics.map(wholeName) }),
    ...(missing.length > 0 && { missing: missing.map(wholeName) }),
    ...(flags.since !== undefined && { since: dayOf(flags.since, now) }),
    ...(flags.sort !== undefined && { sort: flags.sort }),
  };
}

/** The name of a metric behind that of its scorecard, as the service takes it. */
function wholeName({ scorecard, metric }: MetricName): string {
  return `${scorecard}.${metric}`;
}
