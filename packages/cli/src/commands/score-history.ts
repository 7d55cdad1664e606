import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { metricNamed } from "@maturity/report-files/metric-name";
import { Option } from "commander";
import { listCommand } from "../asking/list-command.ts";
import { dailyRollUps, scoreChanges } from "../asking/past.ts";
import { addTargetFlags, type CommandModule } from "../command.ts";
import { requireNames } from "../settings.ts";

/** The names that a level needs. */
const levels: Readonly<Record<string, readonly (keyof Target)[]>> = {
  app: targetFields,
  team: ["area", "team", "env"],
  area: ["area", "env"],
  organisation: ["env"],
};

/** `maturity score history`: how a score came to be what it is. */
export const scoreHistory: CommandModule = listCommand({
  description:
    "Lists the score of an application at the beginning of each day, or each change of one metric, the oldest first.",
  isNarrowed: false,
  define(command) {
    command
      .option("-m, --metric <name>", "each change of this metric instead: image_scan, or cost.budget")
      .addOption(new Option("--of <level>", "whose days; default: app").choices(Object.keys(levels)))
      .option("--since <day>", "from this day on, 2026-01-31 or 30d", "30d")
      .option("--until <day>", "up to this day");
    addTargetFlags(command);
  },
  table: ({ metric }) => (metric === undefined ? dailyRollUps : scoreChanges),
  query({ metric, of: level }, settings) {
    if (metric !== undefined && level !== undefined) {
      throw new UsageError("--metric is of an application, so it takes no --of");
    }
    const names = levels[String(level ?? "app")] ?? targetFields;
    const target = requireNames(settings, names);
    return {
      ...Object.fromEntries(targetFields.map((name) => [name, names.includes(name) ? target[name] : undefined])),
      ...(metric !== undefined && metricNamed(String(metric))),
    };
  },
  examples: [
    ["this application in the last 30 days", "maturity score history"],
    ["its team in the last year", "maturity score history --of team --since 365d"],
    ["the organisation", "maturity score history --of organisation --since 90d"],
    ["why one metric is what it is", "maturity score history --metric image_scan"],
  ],
});
