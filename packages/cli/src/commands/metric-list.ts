import { listCommand } from "../asking/list-command.ts";
import { metricTable } from "../asking/metrics.ts";
import { type CommandModule, collect } from "../command.ts";

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
