import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine } from "@maturity/core";
import { type Logger, pino } from "pino";
import { startAlerts } from "../../alerts/alerts.ts";
import { retireSilent } from "../../apps/retire-silent.ts";
import { parseOidcConfig } from "../../auth/oidc-config.ts";
import { queueDue } from "../../digest/digest.ts";
import { type DaysDependencies, writeDays } from "../../history/days.ts";
import { createServiceMetrics } from "../../http/service-metrics.ts";
import { loadRules } from "../../policy/policy-file.ts";
import { recordRules } from "../../policy/recorded.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { isUnreachable } from "../../store/failures.ts";
import { migrate } from "../../store/migrate.ts";
import { actorOf } from "../actor.ts";
import type { Config } from "../config.ts";
import { findBoard } from "./board.ts";
import { eachMinute } from "./each-minute.ts";
import { greeting } from "./greeting.ts";
import { endOnSignals } from "./lifecycle.ts";
import { tellReadiness } from "./readiness.ts";
import { loadScorecards } from "./scorecards.ts";
import { createServer } from "./server.ts";

/**
 * Runs the service until a signal ends it.
 *
 * @param prepare what is done with the database, whose schema is up to date, before the service listens
 */
export async function serve(config: Config, prepare?: (database: Database) => Promise<void>): Promise<void> {
  const { oidcFile } = config;
  const oidc = oidcFile === undefined ? undefined : parseOidcConfig(await readFile(oidcFile, "utf8"), oidcFile);
  const logger = pino({ level: config.logLevel });
  const lifecycle = endOnSignals(logger);
  const { policyFile: file } = config;
  const declared = createEngine(await loadScorecards(config.scorecards, process.cwd()));
  const rules = await loadRules(file, declared.scorecards);
  const engine = createEngine(rules.scorecards);
  const database = openDatabase(config.databaseUrl, config.databasePoolMax, config.databaseReadUrl);
  const tellWait = () => logger.info("another process is changing the schema; waiting for it");
  await onceReachable(() => migrate(database, tellWait), logger);
  await prepare?.(database);
  const metrics = createServiceMetrics(database);
  const alerts = startAlerts({ database, chat: config.chat, registry: metrics.registry, logger });
  const { historyDays } = config;
  const { stopping } = lifecycle;
  const board = config.board ? findBoard(logger) : undefined;
  const { levels } = rules;
  const server = await createServer({
    config,
    oidc,
    engine,
    levels,
    database,
    alerts,
    board,
    metrics,
    logger,
    stopping,
  });
  const work: ((timeoutMs: number) => Promise<void>)[] = [];
  lifecycle.onStop(config.shutdownGraceMs, async (timeout) => {
    await Promise.all([server.stop({ timeout }), alerts.stop(timeout), ...work.map((stop) => stop(timeout))]);
    await database.close();
  });
  await server.start();
  // Only now: by the rules of a process that does not come to listen, nobody is scored.
  const changes = await onceReachable(() => recordRules(database, rules, { actor: actorOf(), file }), logger);
  if (changes.length > 0)
    logger.info(
      { file, changes: changes.length },
      "recorded weights, ages and levels that differ from those recorded before",
    );
  if (!stopping.aborted) {
    work.push(
      eachMinute(workOfDay({ config, database, scorecards: engine.scorecards, logger }), {
        logger,
        failed: "the work of the day is not done yet",
      }),
    );
    const { digest: schedule, chat } = config;
    if (schedule) {
      const deps = { database, engine, historyDays, schedule, defaultChannel: chat?.defaultChannel };
      const queue = async () => {
        const queued = await queueDue(deps);
        if (queued) logger.info(queued, "the digest is queued");
      };
      work.push(eachMinute(queue, { logger, failed: "the digest is not queued yet" }));
    }
  }
  logger.info({ scorers: engine.scorecards.map(({ package: { name, version } }) => `${name}@${version}`) }, "scoring");
  const uri = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.info.port}`;
  process.stderr.write(greeting(uri, { ...config, board: board !== undefined }, process.argv[1] ?? ""));
  await tellReadiness({ config, oidc, database, logger });
}

interface DayDependencies extends Pick<DaysDependencies, "database" | "scorecards" | "logger"> {
  readonly config: Pick<Config, "historyDays" | "retireSilentDays">;
}

/** Whoever writes the day retires what is silent, and tries that again until it is done. */
function workOfDay({ config, ...deps }: DayDependencies): (signal: AbortSignal) => Promise<void> {
  const { historyDays, retireSilentDays: days } = config;
  let isDue = false;
  return async (signal) => {
    if (await writeDays({ ...deps, historyDays, signal })) isDue = days !== undefined;
    if (!isDue || days === undefined) return;
    const retired = await retireSilent(deps.database, { days, actor: actorOf(), signal });
    isDue = false;
    if (retired > 0) deps.logger.info({ retired, days }, "environments of which nothing was reported are retired");
  };
}

/** Waits for a database that is not there yet, so that the order in which things start does not matter. */
async function onceReachable<T>(call: () => Promise<T>, logger: Logger): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      logger.warn({ reason: String(error) }, `the database is not reachable; next try in ${pauseMs} ms`);
      await sleep(pauseMs);
    }
  }
}
