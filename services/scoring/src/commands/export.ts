import { type ExportOptions, exportRows } from "../transfer/export.ts";
import type { Define } from "./command.ts";
import { print } from "./print.ts";

/** Writes every score and problem with their past, as fast as the output takes it. */
export const defineExport: Define = (command, { io, onDatabase }) => {
  command
    .usage("[options] > rows.ndjson")
    .option("--without-history", "leaves the past out, for versions that know none")
    .addHelpText("after", "\nIt works on PostgreSQL and on the embedded database, whichever DATABASE_URL names.")
    .action((options: ExportOptions) =>
      onDatabase(async (database) => {
        await print(exportedLines(exportRows(database, options)), io.stdout);
        return "";
      }),
    );
};

async function* exportedLines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
