import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { OperatorError } from "../model/errors.ts";
import type { Imported } from "../transfer/import.ts";
import type { TableName } from "../transfer/kinds.ts";
import { actorOf } from "./actor.ts";
import type { Define } from "./command.ts";
import { addName } from "./names.ts";

/** Stores the lines that `export` wrote, all or none. */
export const defineImport: Define = (command, { io, onDatabase }) => {
  command
    .usage("< rows.ndjson")
    .option("--area <area>", "only the lines of this area; may be given several times", addName)
    .addHelpText("after", about)
    .action(async ({ area: areas }: { area?: readonly string[] }) => {
      refuseDirectory(io.stdin);
      const [{ parseConfig }, { declaredEngine }] = await Promise.all([
        import("./config.ts"),
        import("./serve/scorecards.ts"),
      ]);
      const { historyDays, unregistered } = parseConfig(io.env, ["HISTORY_DAYS", "UNREGISTERED"]);
      const { scorecards } = await declaredEngine(io.env);
      await onDatabase(async (database) => {
        const [{ importRows }, { linesOf, countedLines }] = await Promise.all([
          import("../transfer/import.ts"),
          import("../transfer/lines.ts"),
        ]);
        const options = { actor: actorOf(), areas, scorecards, hasHistory: historyDays > 0, unregistered };
        return summaryOf(await importRows(database, countedLines(linesOf(io.stdin)), options));
      }, "make");
    });
};

function summaryOf(stored: Imported): string {
  const counts = Object.entries(titles).map(([table, title]) => `${title}: ${stored[table as TableName]}`);
  return `Stored ${counts.join(", ")}.\n`;
}

const titles: Readonly<Record<TableName, string>> = {
  scores: "scores",
  problems: "problems",
  score_changes: "changes of scores",
  score_confirmations: "times at which scores were confirmed",
  roll_up_days: "roll-ups of days",
  roll_ups_again: "roll-ups of days to write again",
  waivers: "waivers",
  apps: "registered or retired applications",
  retired_envs: "retired environments",
  former_names: "former names",
  campaigns: "campaigns by area",
  campaign_members: "members of campaigns",
  campaign_days: "days of campaigns",
};

/** Node reads a directory as if it were an empty file. */
function refuseDirectory(stdin: Readable & { readonly fd?: number }): void {
  if (stdin.fd === undefined || !fstatSync(stdin.fd).isDirectory()) return;
  throw new OperatorError("standard input is a directory; pass the file that export wrote: import < rows.ndjson");
}

const about = `
It imports areas that the store does not have: all lines or none. It works on PostgreSQL and on the embedded database,
whichever DATABASE_URL names. SCORECARDS names the packages of the service: a waiver in force must name one of their
scorecards or metrics. With HISTORY_DAYS=0 changes and confirmations of scores and roll-ups of days are left out. With
UNREGISTERED=hold applications that nobody registered are held, with UNREGISTERED=accept none is. The days since the
newest roll-up of the file are written by the service.`;
