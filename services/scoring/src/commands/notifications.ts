import type { Command } from "commander";
import { shownTarget } from "../model/app-name.ts";
import { OperatorError } from "../model/errors.ts";
import type { DeadLetter } from "../notifications/dead-letters.ts";
import type { Database } from "../store/database.ts";
import type { Define } from "./command.ts";
import { table } from "./table.ts";

type Outbox = Database["notifications"];

/** How many characters of a notification's text the table shows. */
const shownText = 60;

/** What a command needs once it works on the database. */
const load = () => import("../notifications/dead-letters.ts");

/** Lists the dead letters of notifications, puts them back, and deletes them. */
export const defineNotifications: Define = (command, { onDatabase }) => {
  command
    .command("list")
    .description("lists the notifications that are dead letters")
    .option("--json", "prints one object a line, with the whole text")
    .action(({ json = false }: { json?: boolean }) => onDatabase(({ notifications }) => list(notifications, json)));
  /** Adds a command that does something with chosen notifications, or with all. */
  const some = (
    name: string,
    description: string,
    all: string,
    run: (outbox: Outbox, ids: readonly string[]) => Promise<string>,
  ): Command =>
    command
      .command(name)
      .description(description)
      .argument("[ids...]", "the notifications, by the ids that list shows")
      .option("--all", all)
      .action((ids: string[], { all = false }: { all?: boolean }, called) => {
        if (all === ids.length > 0) called.error(`error: ${name} takes either ids of notifications or --all`);
        return onDatabase(({ notifications }) => run(notifications, ids));
      });
  some("retry", "puts notifications back, as new", "puts back all of them", retryAll).addHelpText("after", aboutRetry);
  some("drop", "deletes dead letters for ever", "deletes all of them", dropAll);
};

const aboutRetry = `
A running service with their destination sends them. First correct the reason that the list shows. If the problem of a
notification has been resolved since, the notification is deleted instead, unless the message about the resolution still
waits.`;

async function list(outbox: Outbox, asJson: boolean): Promise<string> {
  const { listDeadLetters } = await load();
  const dead = await listDeadLetters(outbox);
  if (asJson) return dead.map((letter) => `${JSON.stringify(letter)}\n`).join("");
  if (dead.length === 0) return "There are no dead letters.\n";
  return table([["ID", "DEAD SINCE", "DESTINATION", "APP", "REASON", "TEXT"], ...dead.map(cells)]);
}

async function retryAll(outbox: Outbox, ids: readonly string[]): Promise<string> {
  const { putBack } = await load();
  const became = { waits: 0, deleted: 0 };
  for (const id of await chosen(outbox, ids, "nothing was put back")) {
    const state = await putBack(outbox, id);
    if (state) became[state]++;
  }
  const left = became.deleted > 0 ? ` Deleted, since their problems are resolved: ${became.deleted}.` : "";
  return `Notifications put back: ${became.waits}.${left}\n`;
}

async function dropAll(outbox: Outbox, ids: readonly string[]): Promise<string> {
  const { dropDeadLetter } = await load();
  let dropped = 0;
  for (const id of await chosen(outbox, ids, "nothing was deleted")) {
    if (await dropDeadLetter(outbox, id)) dropped++;
  }
  return `Dead letters deleted: ${dropped}.\n`;
}

/**
 * The ids of the chosen dead letters, the oldest first.
 *
 * @param ids all dead letters if empty
 * @param outcome what the error says first
 */
async function chosen(outbox: Outbox, ids: readonly string[], outcome: string): Promise<readonly string[]> {
  const { listDeadLetters } = await load();
  const dead = (await listDeadLetters(outbox)).map(({ id }) => id);
  const missing = ids.filter((id) => !dead.includes(id));
  if (missing.length > 0) throw new OperatorError(`${outcome}: ${missing.join(", ")} is no dead letter`);
  return ids.length > 0 ? dead.filter((id) => ids.includes(id)) : dead;
}

function cells({ id, dead_since, destination, address, area, team, app, env, reason, text }: DeadLetter): string[] {
  const flat = [...text.replaceAll("\n", " ")];
  const short = flat.length > shownText ? `${flat.slice(0, shownText).join("")}…` : flat.join("");
  const where = area === null ? "-" : shownTarget({ area, team, app, env });
  const place = [destination, address].filter(Boolean).join(" ");
  return [id, `${dead_since.toISOString().slice(0, 19)}Z`, place, where, reason, short];
}
