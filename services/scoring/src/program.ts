import { pipeline } from "node:stream/promises";
import { MaturityError } from "@maturity/core";
import { alertsCommand, alertsUsage } from "./cli/alerts.ts";
import { tokenCommand, tokenUsage } from "./cli/token.ts";
import { exportCommand, importCommand, transferUsage } from "./cli/transfer.ts";
import { UsageError } from "./cli/usage.ts";
import { ConfigError, parseConfig } from "./config.ts";
import { ScorecardLoadError } from "./scorecards.ts";
import { serve } from "./serve.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { DirectoryInUseError } from "./store/directory-lock.ts";
import { migrate, NewerDatabaseError } from "./store/migrate.ts";
import { ImportError } from "./store/transfer.ts";

const usage = `maturity-service            runs the service; settings come from the environment
maturity-service token …    makes, lists and revokes access tokens
maturity-service alerts …   lists the alerts that were given up, and puts them back
maturity-service export     writes every score and problem
maturity-service import     stores what export wrote

maturity-service token --help, and so on, tells more.`;

async function main([command, ...args]: readonly string[]): Promise<void> {
  const help = command !== undefined && Object.hasOwn(usages, command) ? usages[command] : undefined;
  if (command === "--help" || command === "help") return print(usage);
  if (help !== undefined && args.includes("--help")) return print(help);
  if ((command === "export" || command === "import") && args.length > 0) {
    throw new UsageError(`${command} takes no arguments`, transferUsage);
  }
  switch (command) {
    case undefined:
      return serve(parseConfig(process.env));
    case "token":
      return withDatabase(async (database) => print(await tokenCommand(args, database, new Date())));
    case "alerts":
      return withDatabase(async (database) => print(await alertsCommand(args, database)));
    case "export":
      return withDatabase((database) => exportCommand(database, process.stdout));
    case "import":
      return withDatabase(async (database) => print(await importCommand(database, process.stdin)));
    default:
      throw new UsageError(`there is no command ${command}`, usage);
  }
}

const usages: Readonly<Record<string, string>> = {
  token: tokenUsage,
  alerts: alertsUsage,
  export: transferUsage,
  import: transferUsage,
};

/** Returns once all of it is written. */
function print(text: string): Promise<void> {
  return pipeline([text === "" || text.endsWith("\n") ? text : `${text}\n`], process.stdout, { end: false });
}

/** Runs a command on the database of the configuration. */
async function withDatabase(command: (database: Database) => Promise<void>): Promise<void> {
  const { databaseUrl } = parseConfig(process.env);
  const database = openDatabase(databaseUrl, 1);
  try {
    await migrate(database, () => process.stderr.write("another process is changing the schema; waiting for it\n"));
    await command(database);
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
    DirectoryInUseError,
    ImportError,
    NewerDatabaseError,
  ].some((kind) => error instanceof kind);
  return expected || isRefusal(error) ? error.message : (error.stack ?? error.message);
}

/** What a shell says of a program whose reader went away, as `head` does when it has enough. */
const endedBySigpipe = 141;

function isReaderGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "EPIPE" &&
    "syscall" in error &&
    error.syscall === "write"
  );
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
