import { valuesOf } from "@maturity/command-line/flags";
import { severities } from "@maturity/core/wire";
import { metricNamed } from "@maturity/report-files/metric-name";
import type { Command } from "commander";
import { auditTable } from "../asking/audit.ts";
import { listCommand } from "../asking/list-command.ts";
import { lists } from "../asking/lists.ts";
import { metricTable, teamsWithMetrics } from "../asking/metrics.ts";
import { choice } from "../asking/print-list.ts";
import { waiverTable } from "../asking/waivers.ts";
import { type CommandModule, collect } from "../command.ts";

const narrows = "It narrows by its flags alone, as app list does.";

/** Adds the options of lists of averages. */
function addAverageFilters(command: Command): Command {
  return command
    .option("--below <score>", "only those that score below this")
    .option("--since <day>", "from when on the change counts, 2026-01-31 or 30d, the default")
    .option("--sort <order>", "score, -score, reported, change or name");
}

/** `maturity team list`: teams, with the mean of their applications. */
export const teamList: CommandModule = listCommand({
  description: `Lists teams with what their applications score on average, the worst first. ${narrows}`,
  define(command) {
    addAverageFilters(command).option("--metrics", "with the average of each metric, in --csv a column for each");
  },
  table: ({ metrics }) => (metrics ? teamsWithMetrics : lists.team),
  query: ({ metrics }) => (metrics ? { metrics } : {}),
  examples: [
    ["the teams of an area", "maturity team list --area shop"],
    ["each team by each metric", "maturity team list --env prod --metrics --csv"],
  ],
});

/** `maturity area list`: areas, with the mean of their teams. */
export const areaList: CommandModule = listCommand({
  description: `Lists areas with what their teams score on average, the worst first. ${narrows}`,
  define: addAverageFilters,
  table: () => lists.area,
  examples: [["all of production", "maturity area list --env prod"]],
});

/** `maturity score list`: the stored score of each metric. */
export const scoreList: CommandModule = listCommand({
  description: `Lists the stored scores of metrics, the worst first. ${narrows}`,
  define(command) {
    command
      .option("-m, --metric <name>", "only of this metric, image_scan or cost.budget", collect)
      .option("--scorecard <name>", "only of this scorecard", collect)
      .option("--below <score>", "only those below this")
      .addOption(choice("--state <state>", "only in this state", ["fresh", "late", "stale"]))
      .option("--scorer <package>", "only of this package, such as @maturity/security@1.0.0", collect)
      .option("--sort <order>", "score, -score, age, key or name");
  },
  table: () => lists.score,
  examples: [
    ["what was not measured for long", "maturity score list --state stale"],
    ["by a program", "maturity score list --metric image_scan --json | jq '.items[].score'"],
    ["all of them, a line each", "maturity score list --ndjson -o scores.ndjson"],
  ],
});

/** `maturity problem list`: the open problems. */
export const problemList: CommandModule = listCommand({
  description: `Lists the open problems, the gravest first. ${narrows}`,
  define(command) {
    command
      .addOption(choice("--severity <severity>", "only of this severity", severities))
      .option("--type <name>", "only of this type", collect)
      .option("--all", "resolved ones too")
      .option("--resolved", "only those that are resolved, what was resolved last first")
      .option("--sort <order>", "severity, age, resolved or name");
  },
  table: () => lists.problem,
  query: ({ resolved, sort }) => (resolved ? { resolved, sort: sort ?? "resolved" } : {}),
  examples: [
    ["the gravest problems of production", "maturity problem list --env prod"],
    ["what was resolved, and how long that took", "maturity problem list --resolved"],
  ],
});

const waiverStates = ["requested", "approved", "rejected", "withdrawn", "revoked", "expired"];

/** `maturity waiver list`: what is waived, by whom, why and until when. */
export const waiverList: CommandModule = listCommand({
  description:
    `Lists the waivers in force, those that end first at the top. ${narrows} A waiver of a whole team is one of each of ` +
    "its applications.",
  define(command) {
    command
      .option("-m, --metric <name>", "only of this metric, dast or cost.budget", collect)
      .option("--scorecard <name>", "only of this scorecard and its metrics", collect)
      .option("--problem <type>", "only of this type of problem", collect)
      .option("--owner <name>", "only of this owner", collect)
      .addOption(choice("--kind <kind>", "only of this kind", ["accepted", "not_applicable"]))
      .addOption(choice("--state <state>", "only in this state", waiverStates))
      .option("--ends-before <day>", "only those that end before this day")
      .option("--mine", "only what this token or pipeline asked for, in every state")
      .option("--decidable", "only requests that this token may approve or reject")
      .option("--all", "those in every state")
      .option("--sort <order>", "expiry, newest or oldest; default: expiry");
  },
  table: () => waiverTable,
  query({ metric, scorecard, mine, decidable, all, state, endsBefore }) {
    const metrics = valuesOf(metric).map(metricNamed);
    return {
      requested_by: mine ? "me" : undefined,
      decidable,
      ends_before: endsBefore,
      all: all ?? (mine && state === undefined ? true : undefined),
      scorecard: metrics.length > 0 ? [...new Set(metrics.map((one) => one.scorecard))] : scorecard,
      metric: metrics.length > 0 ? metrics.map((one) => one.metric) : undefined,
    };
  },
  examples: [
    ["what ends next", "maturity waiver list --limit 10"],
    ["what is waived of a team", "maturity waiver list --area shop --team checkout"],
    ["end one", "maturity waiver revoke 0195e1f4"],
    ["what waits for a decision of mine, the oldest first", "maturity waiver list --decidable --sort oldest"],
  ],
});

const auditKinds = [
  ...["registration", "move", "retirement", "waiver", "campaign", "policy", "replay", "badge", "access", "store"],
];

/** `maturity audit list`: what was changed, and by whom. */
export const auditList: CommandModule = listCommand({
  description:
    `Lists what was changed and by whom, the newest first: registrations, moves, waivers and policies, all that is no report. ` +
    `${narrows} Tokens and sessions are shown to the scope admin alone.`,
  define(command) {
    command
      .option("--actor <name>", "only by this token, pipeline or command", collect)
      .addOption(choice("--kind <kind>", "only about this", auditKinds))
      .option("--action <name>", "only this, such as waiver.create", collect)
      .option("--since <day>", "from this day on, 2026-01-31 or 30d")
      .option("--until <day>", "up to this day");
  },
  table: () => auditTable,
  examples: [
    ["what was decided about a team", "maturity audit list --area shop --team checkout"],
    ["what was waived in the last month, and who decided", "maturity audit list --kind waiver --since 30d"],
    ["what was moved or retired", "maturity audit list --kind move --kind retirement"],
  ],
});

/** `maturity metric list`: each metric over all applications. */
export const metricList: CommandModule = listCommand({
  description:
    "Lists each metric over all applications, what costs the organisation most first: the average, what most applications " +
    "score, the points that the organisation gains if the metric scores 100 wherever it was reported, and in which share of " +
    "the applications it was reported, is stale, waived and exempt. It narrows by its flags alone, as app list does.",
  define(command) {
    command
      .option("-m, --metric <name>", "only this metric, image_scan or cost.budget", collect)
      .option("--scorecard <name>", "only those of this scorecard", collect)
      .option("--sort <order>", "gain, score, -score, reported or name");
  },
  table: () => metricTable,
  examples: [
    ["what drags production", "maturity metric list --env prod"],
    ["what drags a team", "maturity metric list --area shop --team checkout --env prod"],
  ],
});
