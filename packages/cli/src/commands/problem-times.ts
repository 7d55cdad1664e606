import { severities } from "@maturity/core/wire";
import type { Command } from "commander";
import { listCommand } from "../asking/list-command.ts";
import { choice } from "../asking/print-list.ts";
import { timesTable, weeksTable } from "../asking/problem-times.ts";
import { type CommandModule, collect } from "../command.ts";

function addFilters(command: Command): Command {
  return command
    .addOption(choice("--severity <severity>", "only of this severity", severities))
    .option("--type <name>", "only of this type", collect);
}

/** `maturity problem times`: how long problems are open, and were until they were resolved. */
export const problemTimes: CommandModule = listCommand({
  description:
    "Lists how long the open problems have been open and how long those were that were resolved, by severity and area: the " +
    "median, and the 90th percentile. It narrows by its flags alone, as app list does.",
  define(command) {
    addFilters(command)
      .addOption(choice("--by <part>", "an area each, the default, or all areas together", ["area", "severity"]))
      .option("--since <day>", "from when on resolved ones count, 2026-01-31 or 90d, the default");
  },
  table: () => timesTable,
  examples: [["of all areas together", "maturity problem times --by severity --env prod"]],
});

/** `maturity problem weeks`: what was opened and resolved each week. */
export const problemWeeks: CommandModule = listCommand({
  description:
    "Lists how many problems were opened and resolved each week, from Monday on in UTC, and how many were open at its end. It " +
    "narrows by its flags alone, as app list does.",
  define(command) {
    addFilters(command).option("--since <day>", "from which week on, 2026-01-31 or 180d; default: 12 weeks ago");
  },
  table: () => weeksTable,
  examples: [["half a year of an area", "maturity problem weeks --area shop --since 180d"]],
});
