import { parseArgs } from "node:util";
import { type DeadAlert, listDead, revive } from "../alerts/dead.ts";
import { adoptFormerQueue } from "../alerts/former-queue.ts";
import { type Action, type Command, CommandError, UsageError } from "./command.ts";
import { table } from "./table.ts";

const usage = `maturity-service alerts list [--json]
maturity-service alerts retry ID [ID …]
maturity-service alerts retry --all

list shows the alerts to the chat that were given up; with --json one object a line, with the whole text. retry puts them
back into the queue, as new: a running service with CHAT_BOT_TOKEN sends them. Mend first what the reason tells. An alert
whose problem is resolved since is deleted instead, unless the chat is still to hear of the end.`;

/** Characters of an alert's text that the table shows. */
const shownText = 60;

/** Lists the alerts that were given up, and puts them back. */
export const alertsCommand: Command = {
  usage,
  read([command, ...rest]) {
    const action = read(command, rest);
    return async (database) => {
      await adoptFormerQueue(database);
      return action(database);
    };
  },
};

function read(command: string | undefined, args: string[]): Action {
  switch (command) {
    case "list":
      return list(readArguments(args, ["json"]));
    case "retry":
      return retry(readArguments(args, ["all"]));
    default:
      throw new UsageError(command === undefined ? "say what to do" : `there is no command alerts ${command}`, usage);
  }
}

interface Arguments {
  readonly ids: readonly string[];
  /** Was the one option given that the command takes? */
  readonly option: boolean;
}

function readArguments(args: string[], [option]: readonly [string]): Arguments {
  try {
    const options = { [option]: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { ids: positionals, option: values[option] === true };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage);
  }
}

function list({ ids, option: json }: Arguments): Action {
  if (ids.length > 0) throw new UsageError("list takes no ids", usage);
  return async ({ alerts }) => {
    const dead = await listDead(alerts);
    if (json) return dead.map((alert) => `${JSON.stringify(shown(alert))}\n`).join("");
    if (dead.length === 0) return "There is no alert that was given up.\n";
    return table([["ID", "GIVEN UP", "CHANNEL", "APP", "REASON", "TEXT"], ...dead.map(cells)]);
  };
}

function retry({ ids, option: all }: Arguments): Action {
  if (all === ids.length > 0) throw new UsageError("retry takes either ids of alerts or --all", usage);
  return async ({ alerts }) => {
    const dead = await listDead(alerts);
    requireAll(ids, dead);
    const became = { waits: 0, deleted: 0 };
    for (const { id } of dead) {
      const state = all || ids.includes(id) ? await revive(alerts, id) : undefined;
      if (state) became[state]++;
    }
    const left = became.deleted > 0 ? ` Deleted, since their problems are resolved: ${became.deleted}.` : "";
    return `Alerts put back into the queue: ${became.waits}.${left}\n`;
  };
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
