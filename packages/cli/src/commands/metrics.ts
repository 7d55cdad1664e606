import { insteadOf } from "@maturity/command-line/did-you-mean";
import type { Output } from "@maturity/command-line/output";
import { showTable } from "@maturity/command-line/table";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import type { AnyMetric, Input } from "@maturity/core";
import { metricText } from "@maturity/report-files/metric-name";
import { addExamples, addScorecardFlags, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { availableScorecards } from "../scoring.ts";
import { settingsOf } from "../settings-file.ts";
import { printRows } from "./formats.ts";

/** `maturity metrics`: what can be measured. */
export const metrics: CommandModule = {
  define(command) {
    command
      .argument("[metric]", "of this one what it measures, its inputs with their ranges, and where to read more")
      .description("Lists the metrics of the scorecards on this machine, by which --metric names them.");
    addScorecardFlags(command);
    addExamples(command, [
      ["what an input may be", "maturity metrics stress_test"],
      ["with those of a scorecard of your own", "maturity metrics --scorecards @acme/cost"],
    ]);
  },

  async run([name], flags, context, output) {
    const settings = await settingsOf(flags, context);
    const scorecards = await availableScorecards(settings, context.cwd);
    const rows = scorecards.flatMap(({ name: scorecard, metrics }) =>
      metrics.map((metric) => describedMetric(scorecard, metric)),
    );
    if (name !== undefined) {
      showMetric(metricIn(rows, name), output);
      return exitCodes.done;
    }
    await printRows(
      rows,
      [
        { title: "metric", text: metricText },
        { title: "scorecard", text: ({ scorecard }) => scorecard },
        { title: "weight", text: ({ weight }) => String(weight), isNumber: true },
        { title: "is", text: ({ title, deprecated }) => (deprecated ? `${title} (use ${deprecated})` : title) },
      ],
      output,
    );
    return exitCodes.done;
  },
};

type DescribedMetric = ReturnType<typeof describedMetric>;
type DescribedInput = DescribedMetric["inputs"][number];

/** A metric as `--json` shows it. */
function describedMetric(scorecard: string, metric: AnyMetric) {
  const { name, title, weight, description, help, deprecated, inputs = {} } = metric;
  return {
    ...{ metric: name, scorecard, weight, title, description, help, deprecated },
    inputs: Object.entries(inputs as Readonly<Record<string, Input>>).map(([field, input]) => {
      const { label, unit, min, max, better } = input;
      const noun = typeof unit === "string" ? unit : Array.isArray(unit) ? String(unit[1]) : undefined;
      return { field, label, unit: noun, min, max, better };
    }),
  };
}

/** @throws UsageError if no scorecard has this metric */
function metricIn(rows: readonly DescribedMetric[], name: string): DescribedMetric {
  const found = rows.find((row) => metricText(row) === name || `${row.scorecard}.${row.metric}` === name);
  if (found) return found;
  throw new UsageError(`there is no metric ${name}${insteadOf(name, rows.map(metricText))}`);
}

function showMetric(metric: DescribedMetric, output: Output): void {
  const { title, description, help, deprecated, scorecard, weight, inputs } = metric;
  output.line(`${output.colors.bold(printable(metricText(metric)))}  ${printable(title)}`);
  output.paragraph(`scorecard ${scorecard}, weight ${weight}`, "  ");
  if (deprecated !== undefined) output.paragraph(`deprecated: use ${deprecated}`, "  ", output.colors.yellow);
  if (description !== undefined) output.paragraph(description.trim(), "  ");
  if (help !== undefined) output.paragraph(help, "  ");
  if (inputs.length > 0) {
    output.line("");
    showTable<DescribedInput>(
      [
        { title: "input", text: ({ field }) => field },
        { title: "is", text: ({ label = "" }) => label, isOptional: true },
        { title: "unit", text: ({ unit = "" }) => unit, isOptional: true },
        { title: "from", text: ({ min }) => (min === undefined ? "" : String(min)), isNumber: true, isOptional: true },
        { title: "to", text: ({ max }) => (max === undefined ? "" : String(max)), isNumber: true, isOptional: true },
        { title: "better", text: ({ better = "" }) => better, isOptional: true },
      ],
      inputs,
      output,
    );
  }
  output.result(metric);
}
