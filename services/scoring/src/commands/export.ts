import { type ExportOptions, exportRows } from "../transfer/export.ts";
import type { Define } from "./command.ts";
import { addName } from "./names.ts";
import { print } from "./print.ts";

/** Writes every score and problem with their past, as fast as the output takes it. */
export const defineExport: Define = (command, { io, onDatabase }) => {
  command
    .usage("[options] > rows.ndjson")
    .option(
      "--without-history",
      "writes scores and problems alone, for versions that know no more: no past, waivers, registry or former names",
    )
    .option("--area <area>", "only this area; may be given several times", addName)
    .addHelpText("after", "\nIt works on PostgreSQL and on the embedded database, whichever DATABASE_URL names.")
    .action(({ area: areas, ...options }: Pick<ExportOptions, "withoutHistory"> & { area?: readonly string[] }) =>
      onDatabase(async (database) => {
        const { withCount } = await import("../transfer/lines.ts");
        await print(exportedLines(withCount(exportRows(database, { ...options, areas }))), io.stdout);
        return "";
      }),
    );
};

async function* exportedLines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
