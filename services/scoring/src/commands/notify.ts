import { randomUUID } from "node:crypto";
import { severities } from "@maturity/core/wire";
import { Option } from "commander";
import { OperatorError } from "../model/errors.ts";
import { type Fact, factTypes } from "../model/fact.ts";
import type { NotifySettings, Way } from "../notifications/routes.ts";
import type { Database } from "../store/database.ts";
import type { Context, Define } from "./command.ts";
import { printable } from "./print.ts";

/** Tries destinations of notifications, and explains where a fact would go. */
export const defineNotify: Define = (command, context) => {
  command
    .command("test")
    .description("sends one message to a destination, and says what became of it")
    .argument("<destination>", "its name in the file of NOTIFY, or chat without that file")
    .option("--channel <channel>", "the channel, as a report would name it")
    .addHelpText("after", "\nIt needs no database, and stores nothing.")
    .action(async (name: string, { channel }: { channel?: string }) => {
      context.io.stdout.write(await sendTest(await settingsOf(context), name, channel));
    });
  command
    .command("explain")
    .description("says where a fact would go, and why")
    .addOption(new Option("--type <type>", "the type of the fact").choices(factTypes).makeOptionMandatory())
    .option("--area <area>", "of what it is about")
    .option("--team <team>", "of what it is about")
    .option("--app <app>", "of what it is about; its owner and its label notify are read from the registry")
    .option("--env <env>", "of what it is about")
    .addOption(new Option("--severity <severity>", "of the problem").choices(severities))
    .option("--channel <channel>", "the chat_channel of the report")
    .action(async (asked: Asked) => {
      const settings = await settingsOf(context);
      await context.onDatabase((database) => explain(settings, asked, database), "read");
    });
};

interface Asked extends Partial<Pick<Fact, "area" | "team" | "app" | "env" | "severity">> {
  readonly type: Fact["type"];
  readonly channel?: string;
}

/** @throws OperatorError */
async function settingsOf({ io }: Context): Promise<NotifySettings> {
  const [{ parseConfig }, { loadNotifySettings }] = await Promise.all([
    import("./config.ts"),
    import("./notify-settings.ts"),
  ]);
  const names = ["NOTIFY", "CHAT_BOT_TOKEN", "CHAT_API_URL", "CHAT_DEFAULT_CHANNEL"];
  const settings = await loadNotifySettings(parseConfig(io.env, names));
  if (!settings) throw new OperatorError("there is no destination: set NOTIFY or CHAT_BOT_TOKEN");
  return settings;
}

/** Time limit of the message, in milliseconds. */
const limitMs = 30_000;

async function sendTest(settings: NotifySettings, name: string, channel: string | undefined): Promise<string> {
  const destination = settings.destinations.get(name);
  if (!destination) {
    throw new OperatorError(
      `there is no destination ${name}; there are ${[...settings.destinations.keys()].join(", ")}`,
    );
  }
  const address = destination.addressOf(channel);
  if (address === undefined) throw new OperatorError(`${name} has no channel of its own: name one with --channel`);
  const fact: Fact = {
    ...{ type: "test", subject: "test", area: null, team: null, app: null, env: null, severity: null },
    data: {},
  };
  const message = {
    ...{ id: randomUUID(), fact, at: new Date(), reports: 1, thread: null, address, link: settings.boardUrl },
  };
  const sent = await destination.send(message, AbortSignal.timeout(limitMs));
  if (sent.status !== "sent") throw new OperatorError(`${name} did not take the message: ${sent.reason}`);
  return `${name} took the message.\n`;
}

async function explain(settings: NotifySettings, asked: Asked, { reads }: Database): Promise<string> {
  const [{ readRegistered }, { waysOf }] = await Promise.all([
    import("../notifications/outbox.ts"),
    import("../notifications/routes.ts"),
  ]);
  const { type, area = null, team = null, app = null, env = null, severity = null, channel } = asked;
  const data = channel === undefined ? {} : { chat_channel: channel };
  const fact: Fact = { ...{ type, subject: "", area, team, app, env, severity }, data };
  const registered = (await readRegistered(reads, settings, [fact]))(fact);
  const { owner, notify } = registered;
  const known = Object.entries({ owner, notify }).filter(([, value]) => value !== null);
  const about = known.map(([name, value]) => `The registry says ${name}: ${value}.\n`).join("");
  const ways = waysOf(settings, fact, registered);
  const lines = ways.map((way) => wayText(way, settings));
  return printable(`${about}${lines.length > 0 ? lines.join("") : "No route fits: it goes nowhere.\n"}`);
}

function wayText({ destination, route, address }: Way, { destinations }: NotifySettings): string {
  const why = route === null ? "by the label notify of the application" : `by route ${route}`;
  const kind = destinations.get(destination)?.kind;
  if (kind === undefined) return `Not to ${destination}, ${why}: there is no destination of this name.\n`;
  if (address === undefined) return `Not to ${destination}, ${why}: it has no channel, and the report names none.\n`;
  return `To ${destination} (${kind}${address && ` ${address}`}), ${why}.\n`;
}
