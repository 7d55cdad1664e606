import { createEngine } from "@maturity/core";
import { scorerOf } from "@maturity/core/wire";
import { collectDefaultMetrics } from "prom-client";
import { createServiceMetrics } from "../../http/service-metrics.ts";
import { OperatorError } from "../../model/errors.ts";
import { startNotifications } from "../../notifications/notifications.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrate.ts";
import type { Io } from "../command.ts";
import { findBoard } from "./board.ts";
import { greeting } from "./greeting.ts";
import { endOnSignals } from "./lifecycle.ts";
import { createLog } from "./log.ts";
import { startMinuteWork } from "./minute-work.ts";
import { onceReachable } from "./once-reachable.ts";
import { putInForce } from "./put-in-force.ts";
import { logReadiness } from "./readiness.ts";
import { createServer } from "./server.ts";
import { loadAll } from "./settings.ts";

/**
 * Runs the service until a signal ends it.
 *
 * @param prepare runs after the migration of the database and before the service listens
 */
export async function serve(env: Io["env"], prepare?: (database: Database) => Promise<void>): Promise<void> {
  const { config, oidc, notify: settings, rules } = await loadAll(env);
  const logger = createLog(config.logLevel);
  const lifecycle = endOnSignals(logger);
  const engine = createEngine(rules.scorecards);
  const database = openDatabase(config.databaseUrl, config.databasePoolMax, config.databaseReadUrl);
  const onWait = () => logger.info("another process is changing the schema; waiting for it");
  await onceReachable(() => migrate(database, onWait), logger);
  await prepare?.(database);
  const metrics = createServiceMetrics(database);
  collectDefaultMetrics({ register: metrics.registry });
  const notifications = startNotifications({ database, settings, registry: metrics.registry, logger });
  const { stopping } = lifecycle;
  const board = config.board ? findBoard(logger) : undefined;
  const server = await createServer({
    config,
    oidc,
    engine,
    rules,
    database,
    notifications,
    board,
    metrics,
    logger,
    stopping,
  });
  let stopWork: Awaited<ReturnType<typeof startMinuteWork>> = async () => {};
  lifecycle.onStop(config.shutdownGraceMs, async (timeout) => {
    await Promise.all([server.stop({ timeout }), notifications.stop(timeout), stopWork(timeout)]);
    await database.close();
  });
  await server.start().catch(({ message }: Error) => {
    throw new OperatorError(
      `HOST ${config.host}, PORT ${config.port}: ${message}; HOST must be an address of this machine, and PORT free`,
    );
  });
  // Only after the start: the rules of a process that fails to start are never in force.
  await putInForce(database, rules, config, logger);
  stopWork = await startMinuteWork({ config, database, engine, rules, settings, notifications, logger, stopping });
  logger.info({ scorers: engine.scorecards.map(scorerOf) }, "scoring");
  const uri = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.info.port}`;
  const takesResults = config.auth !== "oidc" || (oidc?.issuers.length ?? 0) > 0;
  process.stderr.write(greeting(uri, { ...config, board: board !== undefined, takesResults }, process.argv[1] ?? ""));
  await logReadiness({ config, settings, oidc, database, logger });
}
