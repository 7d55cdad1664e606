import type { Output } from "@maturity/command-line/output";
import { type Column, showTable } from "@maturity/command-line/table";
import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";

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

/** Prints rows as a table, or each as an item of JSON. */
export async function printRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  output: Output,
): Promise<void> {
  showTable(columns, rows, output);
  for (const row of rows) await output.item(row);
  output.items({});
}
