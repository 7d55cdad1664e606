import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { CommandError, type Define } from "./command.ts";
import { addName } from "./names.ts";

/** Stores the lines that `export` wrote, all or none. */
export const defineImport: Define = (command, { io, onDatabase }) => {
  command
    .usage("< rows.ndjson")
    .option("--area <area>", "only the lines of this area; may be given several times", addName)
    .addHelpText("after", about)
    .action(async ({ area: areas }: { area?: readonly string[] }) => {
      refuseDirectory(io.stdin);
      await onDatabase(async (database) => {
        const [{ importRows }, { linesOf }] = await Promise.all([
          import("../transfer/import.ts"),
          import("../transfer/lines.ts"),
        ]);
        const stored = await importRows(database, linesOf(io.stdin), areas);
        const { scores, problems, score_changes, roll_up_days, waivers } = stored;
        return `Stored scores: ${scores}, problems: ${problems}, changes of scores: ${score_changes}, roll-ups of days: ${roll_up_days}, waivers: ${waivers}. Rows that are there already or are not newer than what is there were left out.\n`;
      });
    });
};

/** Node reads a directory as if it were an empty file. */
function refuseDirectory(stdin: Readable & { readonly fd?: number }): void {
  if (stdin.fd === undefined || !fstatSync(stdin.fd).isDirectory()) return;
  throw new CommandError("standard input is a directory; give the file that export wrote: import < rows.ndjson");
}

const about = `
A score or problem replaces only an older one, by reported_at; changes, roll-ups of days and waivers are added. It works on PostgreSQL and on the embedded database, whichever
DATABASE_URL names.`;
