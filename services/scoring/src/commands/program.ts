import { pipeline } from "node:stream/promises";
import { MaturityError } from "@maturity/core";
import packageJson from "../../package.json" with { type: "json" };
import { parseConfig } from "../config.ts";
import { ConfigError, hasCode } from "../model/errors.ts";
import { openDatabase } from "../store/database.ts";
import { DirectoryError } from "../store/directory-lock.ts";
import { migrate, NewerDatabaseError } from "../store/migrate.ts";
import { ImportError } from "../transfer/transfer.ts";
import { alertsCommand } from "./alerts.ts";
import { type Action, type Command, CommandError, UsageError } from "./command.ts";
import { ScorecardLoadError } from "./scorecards.ts";
import { serve } from "./serve.ts";
import { tokenCommand } from "./token.ts";
import { exportCommand, importCommand } from "./transfer.ts";

const usage = `maturity-service            runs the service; settings come from the environment
maturity-service token …    makes, lists and revokes access tokens
maturity-service alerts …   lists the alerts that were given up, and puts them back
maturity-service export     writes every score and problem
maturity-service import     stores what export wrote

maturity-service token --help, and so on, tells more; --version tells which version this is.`;

const commands: Readonly<Record<string, () => Command>> = {
  token: () => tokenCommand(new Date()),
  alerts: () => alertsCommand,
  export: () => exportCommand(process.stdout),
  import: () => importCommand(process.stdin),
};

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) return serve(parseConfig(process.env));
  const command = Object.hasOwn(commands, name) ? commands[name]?.() : undefined;
  const asksFor = (...flags: readonly string[]) =>
    flags.some((flag) => flag === name || (command && args.includes(flag)));
  if (name === "help" || asksFor("-h", "--help")) return print(command?.usage ?? usage);
  if (asksFor("-v", "--version")) return print(packageJson.version);
  if (!command) throw new UsageError(`there is no command ${name}`, usage);
  return onDatabase(command.read(args));
}

/** Returns once all of it is written. */
function print(text: string): Promise<void> {
  return pipeline([text === "" || text.endsWith("\n") ? text : `${text}\n`], process.stdout, { end: false });
}

/** Runs a command on the database of the configuration. */
async function onDatabase(action: Action): Promise<void> {
  const { databaseUrl } = parseConfig(process.env);
  const database = openDatabase(databaseUrl, 1);
  try {
    await migrate(database, () => process.stderr.write("another process is changing the schema; waiting for it\n"));
    await print(await action(database));
  } finally {
    await database.close();
  }
}

/** Faults of the configuration and of the machine are told in one message, without a stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\n\n${error.usage}`;
  const expected = [
    ConfigError,
    ScorecardLoadError,
    MaturityError,
    DirectoryError,
    CommandError,
    ImportError,
    NewerDatabaseError,
  ].some((kind) => error instanceof kind);
  return expected || isRefusal(error) ? error.message : (error.stack ?? error.message);
}

/** What a shell says of a program whose reader went away, as `head` does when it has enough. */
const endedBySigpipe = 141;

function isReaderGone(error: unknown): boolean {
  return hasCode(error, "EPIPE") && "syscall" in error && error.syscall === "write";
}

/** Did the system refuse (the port is taken, a directory cannot be written), or the database let nobody in? */
function isRefusal(error: Error): boolean {
  return "syscall" in error || ("code" in error && /^(?:28|3D)/.test(String(error.code)));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (isReaderGone(error)) process.exit(endedBySigpipe);
  const started = process.argv.length > 2;
  process.stderr.write(`maturity-service${started ? ":" : " cannot start."} ${explain(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
