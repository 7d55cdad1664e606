import type { Knex } from "knex";
import { type DeadAlert, listDead, revive } from "../alerts/dead.ts";
import { CommandError, type Define } from "./command.ts";
import { table } from "./table.ts";

/** Characters of an alert's text that the table shows. */
const shownText = 60;

/** Lists the alerts that were given up, and puts them back. */
export const defineAlerts: Define = (command, { onDatabase }) => {
  command
    .command("list")
    .description("lists the alerts to the chat that were given up")
    .option("--json", "prints one object a line, with the whole text")
    .action(({ json }: { json?: true }) => onDatabase(({ alerts }) => (json ? listAsJson : listAsTable)(alerts)));
  command
    .command("retry")
    .description("puts alerts back into the queue, as new")
    .argument("[ids...]", "the alerts, by the ids that list shows")
    .option("--all", "puts back all of them")
    .addHelpText("after", aboutRetry)
    .action((ids: string[], { all = false }: { all?: boolean }, retry) => {
      if (all === ids.length > 0) retry.error("error: retry takes either ids of alerts or --all");
      return onDatabase(({ alerts }) => putBack(alerts, all ? "all" : ids));
    });
};

const aboutRetry = `
A running service with CHAT_BOT_TOKEN sends them. Put right first what the reason names. An alert whose problem has been
resolved since is deleted instead, unless the chat is still to be told of the end.`;

async function listAsJson(alerts: Knex): Promise<string> {
  return (await listDead(alerts)).map((alert) => `${JSON.stringify(shown(alert))}\n`).join("");
}

async function listAsTable(alerts: Knex): Promise<string> {
  const dead = await listDead(alerts);
  if (dead.length === 0) return "There is no alert that was given up.\n";
  return table([["ID", "GIVEN UP", "CHANNEL", "APP", "REASON", "TEXT"], ...dead.map(cells)]);
}

async function putBack(alerts: Knex, ids: readonly string[] | "all"): Promise<string> {
  const dead = await listDead(alerts);
  if (ids !== "all") requireAll(ids, dead);
  const became = { waits: 0, deleted: 0 };
  for (const { id } of dead) {
    const state = ids === "all" || ids.includes(id) ? await revive(alerts, id) : undefined;
    if (state) became[state]++;
  }
  const left = became.deleted > 0 ? ` Deleted, since their problems are resolved: ${became.deleted}.` : "";
  return `Alerts put back into the queue: ${became.waits}.${left}\n`;
}

function requireAll(ids: readonly string[], dead: readonly DeadAlert[]): void {
  const missing = ids.filter((id) => !dead.some((alert) => alert.id === id));
  if (missing.length === 0) return;
  throw new CommandError(`nothing was put back: no alert ${missing.join(", ")} was given up`);
}

function shown({ id, at, channel, ...rest }: DeadAlert): object {
  return { id, given_up_at: at.toISOString(), channel, ...rest };
}

function cells({ id, at, channel, area, team, app, env, reason, text }: DeadAlert): string[] {
  const flat = [...text.replaceAll("\n", " ")];
  const short = flat.length > shownText ? `${flat.slice(0, shownText).join("")}…` : flat.join("");
  return [id, `${at.toISOString().slice(0, 19)}Z`, channel, `${area}/${team}/${app} (${env})`, reason, short];
}
