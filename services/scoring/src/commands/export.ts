import type { Define } from "./command.ts";
import { addName } from "./names.ts";
import { print } from "./print.ts";

/** Writes the whole store, or some areas of it, as fast as the output takes it. */
export const defineExport: Define = (command, { io, onDatabase }) => {
  command
    .usage("[options] > rows.ndjson")
    .option("--area <area>", "only this area; may be given several times", addName)
    .addHelpText("after", "\nIt works on PostgreSQL and on the embedded database, whichever DATABASE_URL names.")
    .action(({ area: areas }: { area?: readonly string[] }) =>
      onDatabase(async (database) => {
        const [{ exportRows }, { withCount }] = await Promise.all([
          import("../transfer/export.ts"),
          import("../transfer/lines.ts"),
        ]);
        await print(exportedLines(withCount(exportRows(database, areas))), io.stdout);
        return "";
      }),
    );
};

async function* exportedLines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
