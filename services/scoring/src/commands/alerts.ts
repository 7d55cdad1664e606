import type { Knex } from "knex";
import { type DeadLetter, listDeadLetters, putBack } from "../alerts/dead-letters.ts";
import { CommandError, type Define } from "./command.ts";
import { table } from "./table.ts";

/** How many characters of an alert's text the table shows. */
const shownText = 60;

/** Lists the dead letters of alerts, and puts them back. */
export const defineAlerts: Define = (command, { onDatabase }) => {
  command
    .command("list")
    .description("lists the alerts to the chat that are dead letters")
    .option("--json", "prints one object a line, with the whole text")
    .action(({ json = false }: { json?: boolean }) => onDatabase(({ alerts }) => list(alerts, json)));
  command
    .command("retry")
    .description("puts alerts back into the queue, as new")
    .argument("[ids...]", "the alerts, by the ids that list shows")
    .option("--all", "puts back all of them")
    .addHelpText("after", aboutRetry)
    .action((ids: string[], { all = false }: { all?: boolean }, retry) => {
      if (all === ids.length > 0) retry.error("error: retry takes either ids of alerts or --all");
      return onDatabase(({ alerts }) => retryAll(alerts, ids));
    });
};

const aboutRetry = `
A running service with CHAT_BOT_TOKEN sends them. First correct the reason that the list shows. If the problem of an alert
has been resolved since, the alert is deleted instead, unless the message about the resolution still waits.`;

async function list(alerts: Knex, asJson: boolean): Promise<string> {
  const dead = await listDeadLetters(alerts);
  if (asJson) return dead.map((alert) => `${JSON.stringify(alert)}\n`).join("");
  if (dead.length === 0) return "There are no dead letters.\n";
  return table([["ID", "DEAD SINCE", "CHANNEL", "APP", "REASON", "TEXT"], ...dead.map(cells)]);
}

/** @param ids all dead letters if empty */
async function retryAll(alerts: Knex, ids: readonly string[]): Promise<string> {
  const dead = (await listDeadLetters(alerts)).map(({ id }) => id);
  const missing = ids.filter((id) => !dead.includes(id));
  if (missing.length > 0) throw new CommandError(`nothing was put back: ${missing.join(", ")} is no dead letter`);
  const became = { waits: 0, deleted: 0 };
  for (const id of ids.length > 0 ? dead.filter((id) => ids.includes(id)) : dead) {
    const state = await putBack(alerts, id);
    if (state) became[state]++;
  }
  const left = became.deleted > 0 ? ` Deleted, since their problems are resolved: ${became.deleted}.` : "";
  return `Alerts put back into the queue: ${became.waits}.${left}\n`;
}

/** A dead letter as a row of the list: its text in one line, and shortened. */
function cells({ id, dead_since, channel, area, team, app, env, reason, text }: DeadLetter): string[] {
  const flat = [...text.replaceAll("\n", " ")];
  const short = flat.length > shownText ? `${flat.slice(0, shownText).join("")}…` : flat.join("");
  const where = area === null ? "-" : `${area}/${team}/${app} (${env})`;
  return [id, `${dead_since.toISOString().slice(0, 19)}Z`, channel, where, reason, short];
}
