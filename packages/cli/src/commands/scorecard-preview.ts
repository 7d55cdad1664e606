import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { reasonOf } from "@maturity/command-line/files";
import { UsageError } from "@maturity/command-line/usage-error";
import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readScorecard } from "../scorecards/read.ts";

/** `maturity scorecard preview`: what a scorecard file makes of results that are there. */
export const scorecardPreview: CommandModule = {
  define(command) {
    command
      .argument("<file>", "the scorecard, in YAML")
      .argument(
        "<results>",
        "an export of the service, or a result with area, team, app, env, scorecard, metric and raw on each line",
      )
      .argument("[metric=other...]", "a metric that scores the results of another one, such as findings=security.dast")
      .description(
        "Shows how the scores of results would be distributed, the lowest with their reasons. Sends nothing.",
      );
    addExamples(command, [
      ["by an export of the service", "maturity scorecard preview cost.yaml export.jsonl"],
      ["with results of another metric", "maturity scorecard preview cost.yaml export.jsonl findings=security.dast"],
    ]);
  },

  async run([path = "", results = "", ...raws], _, context, output) {
    const { scorecard } = await readScorecard(path, context.cwd);
    const { preview } = await import("@maturity/core/preview");
    const file = await open(resolve(context.cwd, results)).catch((error: unknown) => {
      throw new UsageError(`${results} cannot be read: ${reasonOf(error)}`, { cause: error });
    });
    const text = await preview(scorecard, file.readLines(), raws).catch((error: Error) => {
      throw new UsageError(`${results}: ${error.message}`, { cause: error });
    });
    for (const line of text.split("\n")) output.line(line);
    output.result({ text });
    return exitCodes.done;
  },
};
