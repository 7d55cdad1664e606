import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Imported } from "../transfer/import.ts";
import type { TableName } from "../transfer/tables.ts";
import { actorOf } from "./actor.ts";
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
      const [{ parseScorecards }, { loadScorecards }] = await Promise.all([
        import("../config.ts"),
        import("./serve/scorecards.ts"),
      ]);
      const scorecards = await loadScorecards(parseScorecards(io.env), process.cwd());
      await onDatabase(async (database) => {
        const [{ importRows }, { linesOf, withoutCount }, { renameAlerts }] = await Promise.all([
          import("../transfer/import.ts"),
          import("../transfer/lines.ts"),
          import("../alerts/moved.ts"),
        ]);
        const options = { actor: actorOf(), areas, scorecards, renameAlerts };
        return told(await importRows(database, withoutCount(linesOf(io.stdin)), options));
      });
    });
};

/** Most sentences about names that are printed; the audit has them all. */
const maxNotes = 100;

function told({ notes, ...stored }: Imported): string {
  const counts = Object.entries(titles).map(([table, title]) => `${title}: ${stored[table as TableName]}`);
  const more = notes.length - maxNotes;
  return [
    `Stored ${counts.join(", ")}. Rows that are there already or are not newer than what is there were left out.`,
    ...notes.slice(0, maxNotes).map((note) => `- ${note}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    "",
  ].join("\n");
}

const titles: Readonly<Record<TableName, string>> = {
  scores: "scores",
  problems: "problems",
  score_changes: "changes of scores",
  roll_up_days: "roll-ups of days",
  waivers: "waivers",
  apps: "registered applications",
  app_aliases: "former names",
  retired_apps: "retired applications",
  retired_scores: "their scores",
  retired_problems: "their problems",
};

/** Node reads a directory as if it were an empty file. */
function refuseDirectory(stdin: Readable & { readonly fd?: number }): void {
  if (stdin.fd === undefined || !fstatSync(stdin.fd).isDirectory()) return;
  throw new CommandError("standard input is a directory; give the file that export wrote: import < rows.ndjson");
}

const about = `
A score or problem replaces only an older one, by reported_at; changes, roll-ups of days, registered applications and
waivers are added. Rows under a former name are stored under the new one, those of a retired application with it. It works on PostgreSQL and on the embedded database, whichever
DATABASE_URL names. SCORECARDS names the packages of the service: a waiver in force must be of what they hold.`;
