import type { Output } from "@maturity/command-line/output";
import { type Column, showTable } from "@maturity/command-line/table";
import { metricText } from "@maturity/report-files/metric-name";
import { addExamples, addScorecardFlags, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { availableScorecards } from "../scoring.ts";
import { scorecardPackages } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";

/** `maturity formats`: which reports can be read. */
export const formats: CommandModule = {
  define(command) {
    command.description("Lists the formats of reports that are read, with the metrics that each can feed.");
    addExamples(command, [["what a coverage report may be", "maturity formats | grep unit_coverage"]]);
  },

  async run(_, __, ___, output) {
    const { formats } = await import("@maturity/reports");
    const rows = formats
      .map(({ name, title, metrics, problems = [] }) => ({ format: name, title, metrics, problems }))
      .sort((one, other) => (one.format < other.format ? -1 : 1));
    await printRows(
      rows,
      [
        { title: "format", text: ({ format }) => format },
        { title: "is", text: ({ title }) => title },
        { title: "metrics", text: ({ metrics }) => metrics.join(" ") || "-" },
        { title: "problems", text: ({ problems }) => problems.join(" ") || "-" },
      ],
      output,
    );
    return exitCodes.done;
  },
};

/** `maturity metrics`: what can be measured. */
export const metrics: CommandModule = {
  define(command) {
    command.description("Lists the metrics of the scorecards on this machine, by which --metric names them.");
    addScorecardFlags(command);
    addExamples(command, [["with those of a scorecard of your own", "maturity metrics --scorecards @acme/cost"]]);
  },

  async run(_, flags, context, output) {
    const settings = await settingsOf(flags, context);
    const scorecards = await availableScorecards(scorecardPackages(settings), context.cwd);
    const rows = scorecards.flatMap(({ name: scorecard, metrics }) =>
      metrics.map(({ name: metric, title, weight }) => ({ metric, scorecard, weight, title })),
    );
    await printRows(
      rows,
      [
        { title: "metric", text: metricText },
        { title: "scorecard", text: ({ scorecard }) => scorecard },
        { title: "weight", text: ({ weight }) => String(weight), isNumber: true },
        { title: "is", text: ({ title }) => title },
      ],
      output,
    );
    return exitCodes.done;
  },
};

async function printRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  output: Output,
): Promise<void> {
  showTable(columns, rows, output);
  for (const row of rows) await output.item(row);
  output.items({});
}
