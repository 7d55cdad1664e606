import { shippedMetrics } from "@maturity/client";
import { type Flags, valuesOf } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import { type MetricName, metricNamed } from "@maturity/report-files/metric-name";
import type { Command } from "commander";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Settings } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";
import type { ListTable } from "./lists.ts";
import { addFormFlags, addNameFilters, formOf, printList, type Query } from "./print-list.ts";
import { dayOf } from "./words.ts";

/** A command that prints a list of the service. */
export interface ListCommand {
  readonly description: string;
  /** Whether names narrow the list, each by a flag of its own; they do by default. */
  readonly isNarrowed?: boolean;
  /** Adds the flags beside the names. */
  define?(command: Command): void;
  table(flags: Flags): ListTable;
  /** Parameters of the query beside those that `parameters` has, or in place of them. Undefined drops a parameter. */
  query?(flags: Flags, settings: Settings, now: number): Query;
  readonly examples: Parameters<typeof addExamples>[1];
}

/** Makes a command of a list. */
export function listCommand({
  description,
  isNarrowed = true,
  define,
  table,
  query,
  examples,
}: ListCommand): CommandModule {
  return {
    define(command) {
      command.description(description);
      if (isNarrowed) addNameFilters(command);
      define?.(command);
      addFormFlags(command);
      addServiceFlags(command);
      addExamples(command, examples);
    },

    async run(_, flags, context, output) {
      const form = formOf(flags);
      const settings = await settingsOf(flags, context);
      const all = { ...queryOf(flags, context.now()), ...query?.(flags, settings, context.now()) };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const client = await connect(settings, flags, context, output);
      await printList(table(flags), given, form, client, output);
      return exitCodes.done;
    },
  };
}

/** The flags that go to the service as they are. */
const parameters = [
  ...["area", "team", "app", "env", "below", "level", "lacks", "tier", "label", "retired", "held", "by"],
  ...["scorecard", "state", "scorer", "severity", "all", "owner", "kind", "actor", "action", "sort"],
];

/** @throws UsageError for values that no list takes */
function queryOf(flags: Flags, now: number): Query {
  if (flags.below !== undefined && !(Number(flags.below) >= 0 && Number(flags.below) <= 100)) {
    throw new UsageError("--below must be from 0 to 100");
  }
  const day = (flag: unknown) => (flag === undefined ? undefined : dayOf(flag, now));
  return {
    ...Object.fromEntries(parameters.map((flag) => [flag, flags[flag]])),
    problem_type: flags.type ?? flags.problem,
    below_level: flags.belowLevel,
    metric: wholeNames(flags.metric),
    missing: missingNames(flags.missing),
    since: day(flags.since),
    until: day(flags.until),
  };
}

/** The names of metrics behind those of their scorecards, as the service takes them. */
function wholeNames(flag: unknown): readonly string[] | undefined {
  const metrics = valuesOf(flag).map(metricNamed);
  return metrics.length > 0 ? metrics.map(wholeName) : undefined;
}

/** Metrics that ship behind the names of their scorecards. Another name may be that of a scorecard: the service knows. */
function missingNames(flag: unknown): readonly string[] | undefined {
  const names = valuesOf(flag).map((name) =>
    Object.hasOwn(shippedMetrics, name) ? wholeName(metricNamed(name)) : name,
  );
  return names.length > 0 ? names : undefined;
}

function wholeName({ scorecard, metric }: MetricName): string {
  return `${scorecard}.${metric}`;
}
