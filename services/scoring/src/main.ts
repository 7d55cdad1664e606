#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, MaturityError } from "@maturity/core";
import { type Logger, pino } from "pino";
import { startAlertQueue } from "./alerts/queue.ts";
import { createSlackSender } from "./alerts/slack.ts";
import { parseOidcConfig } from "./auth/oidc-config.ts";
import { alertsCommand, alertsUsage } from "./cli/alerts.ts";
import { tokenCommand, tokenUsage } from "./cli/token.ts";
import { exportCommand, importCommand, transferUsage } from "./cli/transfer.ts";
import { UsageError } from "./cli/usage.ts";
import { ConfigError, parseConfig } from "./config.ts";
import { endOnSignals } from "./lifecycle.ts";
import { loadScorecards, ScorecardLoadError } from "./scorecards.ts";
import { createServer } from "./server.ts";
import { createServiceMetrics, watchAlertQueue } from "./service-metrics.ts";
import { type Database, isUnreachable, openDatabase } from "./store/database.ts";
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
  const help = command === undefined ? undefined : usages[command];
  if (command === "--help" || command === "help") return print(usage);
  if (help !== undefined && args.includes("--help")) return print(help);
  if ((command === "export" || command === "import") && args.length > 0) {
    throw new UsageError(`${command} takes no arguments`, transferUsage);
  }
  switch (command) {
    case undefined:
      return serve();
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

function print(text: string): void {
  process.stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
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

async function serve(): Promise<void> {
  const config = parseConfig(process.env);
  const { oidcFile } = config;
  const oidc = oidcFile === undefined ? undefined : parseOidcConfig(await readFile(oidcFile, "utf8"), oidcFile);
  const logger = pino({ level: config.logLevel });
  const lifecycle = endOnSignals(logger);
  const engine = createEngine(await loadScorecards(config.scorecards, process.cwd()));
  const database = openDatabase(config.databaseUrl, config.databasePoolMax);
  await migrateOnceReachable(database, logger);
  const metrics = createServiceMetrics(database);
  const alerts =
    config.chat &&
    (await startAlertQueue({
      database,
      send: createSlackSender(config.chat),
      defaultChannel: config.chat.defaultChannel,
      counters: metrics.alerts,
      logger,
    }));
  if (alerts) watchAlertQueue(metrics, alerts);
  const { stopping } = lifecycle;
  const server = await createServer({ config, oidc, engine, database, alerts, metrics, logger, stopping });
  lifecycle.onStop(config.shutdownGraceMs, async (timeout) => {
    await Promise.all([server.stop({ timeout }), alerts?.stop(timeout)]);
    await database.close();
  });
  await server.start();
  logger.info({ scorers: engine.scorecards.map(({ package: { name, version } }) => `${name}@${version}`) }, "scoring");
  if (config.auth === "none" && !isLoopback(config.host)) {
    logger.warn({ host: config.host }, "anybody who reaches this address can write scores");
  }
  greet(`http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.info.port}`);
}

/** Waits for a database that is not there yet, so that the order in which things start does not matter. */
async function migrateOnceReachable(database: Database, logger: Logger): Promise<void> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await migrate(database, () => logger.info("another process is changing the schema; waiting for it"));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      logger.warn({ reason: String(error) }, `the database is not reachable; next try in ${pauseMs} ms`);
      await sleep(pauseMs);
    }
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** For people, on standard error; standard output carries the log. */
function greet(uri: string): void {
  const body = {
    area: "shop",
    team: "checkout",
    app: "cart",
    env: "prod",
    scorecard: "security",
    metric: "image_scan",
    raw: { critical: 0, high: 3, medium: 12 },
  };
  process.stderr.write(`
Maturity listens on ${uri}. Send it a result:

  curl -s '${uri}/score' -H 'content-type: application/json' -d '${JSON.stringify(body)}'

Scores: ${uri}/metrics   Description: ${uri}/docs

`);
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

/** Did the system refuse (the port is taken, a directory cannot be written), or the database let nobody in? */
function isRefusal(error: Error): boolean {
  return "syscall" in error || ("code" in error && /^(?:28|3D)/.test(String(error.code)));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const started = process.argv.length > 2;
  process.stderr.write(`maturity-service${started ? ":" : " cannot start."} ${explain(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
