import type { Output } from "@maturity/command-line/output";
import { numbers, showTable } from "@maturity/command-line/table";
import { printable } from "@maturity/command-line/terminal";
import type { ScoredValue } from "@maturity/scorecard-file/scored-values";
import { addExamples, type CommandModule } from "../command.ts";
import type { Context } from "../context.ts";
import { countText } from "../deciding/words.ts";
import { exitCodes } from "../exit-codes.ts";
import { reportFailure } from "../failure.ts";
import { readScorecard } from "../scorecards/read.ts";

/** `maturity scorecard check`: whether the service would take a scorecard file. */
export const scorecardCheck: CommandModule = {
  define(command) {
    command
      .argument("<file>", "the scorecard, in YAML")
      .description(
        "Checks a scorecard in YAML and tries its cases, as the service does when it starts. Ends with 1 if it has a fault.",
      );
    addExamples(command, [["before it is merged", "maturity scorecard check cost.yaml"]]);
  },

  async run([path = ""], _, context, output) {
    try {
      return await show(path, context, output);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "ScorecardFileError") throw error;
      reportFailure(error, output, context.stderr);
      return exitCodes.gateNotMet;
    }
  },
};

async function show(path: string, { cwd }: Context, output: Output): Promise<typeof exitCodes.done> {
  const file = await readScorecard(path, cwd);
  const { scoredValues } = await import("@maturity/scorecard-file/scored-values");
  const { metrics } = file.declaration;
  const { name, version } = file.scorecard.package;
  const cases = metrics.reduce((sum, metric) => sum + metric.cases.length, 0);
  const scores = scoredValues(file);
  const counts = `${countText(metrics.length, "metric")}, ${countText(cases, "case")}`;
  output.line(`${printable(path)} is right: ${name}@${version}, ${counts}`);
  output.line("");
  showTable<ScoredValue>(
    [
      { title: "metric", text: ({ metric }) => metric },
      { title: "input", text: ({ field }) => field },
      numbers("value", ({ value }) => String(value)),
      numbers("score", ({ score }) => String(score)),
    ],
    scores,
    output,
  );
  if (scores.some(({ metric, field }) => scores.some((other) => other.metric === metric && other.field !== field))) {
    output.paragraph("Of a metric with several inputs, the others are as in its case with the highest score.");
  }
  output.result({ ok: true, scorer: `${name}@${version}`, metrics: metrics.length, cases, scores });
  return exitCodes.done;
}
