import type { Define } from "./command.ts";

/** Stores the lines that `export` wrote, all or none. */
export const defineImport: Define = (command, { io, onDatabase }) => {
  command
    .usage("< rows.ndjson")
    .addHelpText("after", about)
    .action(() =>
      onDatabase(async (database) => {
        const [{ importRows }, { linesOf }] = await Promise.all([
          import("../transfer/import.ts"),
          import("../transfer/lines.ts"),
        ]);
        const { scores, problems } = await importRows(database, linesOf(io.stdin));
        return `Stored scores: ${scores}, problems: ${problems}. Rows that are not newer than what is there were left out.\n`;
      }),
    );
};

const about = `
A row replaces only an older one, by reported_at. It works on PostgreSQL and on the embedded database, whichever
DATABASE_URL names.`;
