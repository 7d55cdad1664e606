import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine } from "@maturity/core";
import { type Logger, pino } from "pino";
import { applyUnregistered } from "../../apps/hold.ts";
import { retireSilent } from "../../apps/retire-silent.ts";
import { parseOidcConfig } from "../../auth/oidc-config.ts";
import { announceCampaigns } from "../../campaigns/announce.ts";
import { recordCampaigns } from "../../campaigns/record-progress.ts";
import { type DaysDependencies, writeDays } from "../../history/days.ts";
import { createServiceMetrics } from "../../http/service-metrics.ts";
import { queueDue } from "../../notifications/digest/digest.ts";
import { startNotifications } from "../../notifications/notifications.ts";
import { loadRules } from "../../policy/policy-file.ts";
import { recordRules } from "../../policy/recorded.ts";
import { announceChanges } from "../../standings/announce-changes.ts";
import { compareLevels } from "../../standings/compare-levels.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { isUnreachable } from "../../store/failures.ts";
import { readPolicyId } from "../../store/known-levels.ts";
import { migrate } from "../../store/migrate.ts";
import { announceEnding } from "../../waivers/announce-ending.ts";
import { actorOf } from "../actor.ts";
import type { Config } from "../config.ts";
import { loadNotifySettings } from "../notify-settings.ts";
import { findBoard } from "./board.ts";
import { eachMinute } from "./each-minute.ts";
import { greeting } from "./greeting.ts";
import { endOnSignals } from "./lifecycle.ts";
import { findNewScorecards } from "./new-scorecards.ts";
import { logReadiness } from "./readiness.ts";
import { loadScorecards } from "./scorecards.ts";
import { createServer } from "./server.ts";

/** Pause between two looks for changed scores to announce, in milliseconds. */
const watchPauseMs = 5_000;

/**
 * Runs the service until a signal ends it.
 *
 * @param prepare runs after the migration of the database and before the service listens
 */
export async function serve(config: Config, prepare?: (database: Database) => Promise<void>): Promise<void> {
  const { oidcFile } = config;
  const oidc = oidcFile === undefined ? undefined : parseOidcConfig(await readFile(oidcFile, "utf8"), oidcFile);
  const logger = pino({ level: config.logLevel });
  const lifecycle = endOnSignals(logger);
  const settings = await loadNotifySettings(config);
  const { policyFile: file } = config;
  const declared = createEngine(await loadScorecards(config.scorecards, process.cwd()));
  const rules = await loadRules(file, declared.scorecards);
  const engine = createEngine(rules.scorecards);
  const database = openDatabase(config.databaseUrl, config.databasePoolMax, config.databaseReadUrl);
  const onWait = () => logger.info("another process is changing the schema; waiting for it");
  await onceReachable(() => migrate(database, onWait), logger);
  await prepare?.(database);
  const metrics = createServiceMetrics(database);
  const notifications = startNotifications({ database, settings, registry: metrics.registry, logger });
  const { historyDays } = config;
  const { stopping } = lifecycle;
  const board = config.board ? findBoard(logger) : undefined;
  const { levels, applies } = rules;
  const server = await createServer({
    config,
    oidc,
    engine,
    levels,
    applies,
    database,
    notifications,
    board,
    metrics,
    logger,
    stopping,
  });
  const work: ((timeoutMs: number) => Promise<void>)[] = [];
  lifecycle.onStop(config.shutdownGraceMs, async (timeout) => {
    await Promise.all([server.stop({ timeout }), notifications.stop(timeout), ...work.map((stop) => stop(timeout))]);
    await database.close();
  });
  await server.start();
  // Recorded only after the start: a process that fails to start never scores by its rules.
  const added = await onceReachable(() => findNewScorecards(database, rules), logger);
  if (added)
    logger.warn(
      added,
      "these scorecards are new and count from now on; a rule of applies with from in the policy announces them instead",
    );
  const noted = { actor: actorOf(), file, ...(added && { new_scorecards: added }) };
  const changes = await onceReachable(() => recordRules(database, rules, noted), logger);
  if (changes.length > 0)
    logger.info(
      { file, changes: changes.length },
      "recorded weights, ages, levels or rules of what applies that differ from those recorded before",
    );
  const { unregistered } = config;
  const held = await onceReachable(() => applyUnregistered(database, unregistered, actorOf()), logger);
  if (held > 0)
    logger.warn(
      { applications: held },
      unregistered === "hold"
        ? "these applications are held, because nobody registered them: they count nowhere until somebody does"
        : "these applications were held, and count from now on",
    );
  if (!stopping.aborted) {
    work.push(
      eachMinute(dailyWork({ config, database, scorecards: engine.scorecards, applies, logger }), {
        logger,
        failed: "the daily work failed; it is tried again",
      }),
    );
    const campaignRules = { scorecards: engine.scorecards, levels, applies };
    const record = async (signal: AbortSignal) => {
      const campaigns = await recordCampaigns({ database, rules: campaignRules, signal });
      if (campaigns > 0) logger.info({ campaigns }, "the progress of campaigns is recorded");
    };
    work.push(eachMinute(record, { logger, failed: "recording the progress of campaigns failed; it is tried again" }));
    if (settings) {
      const { facts } = notifications;
      const announce = () => announceEnding(database, facts);
      work.push(eachMinute(announce, { logger, failed: "announcing waivers that end failed; it is tried again" }));
      const announceDue = (signal: AbortSignal) => announceCampaigns({ database, rules: campaignRules, facts, signal });
      work.push(eachMinute(announceDue, { logger, failed: "announcing campaigns failed; it is tried again" }));
      if (notifications.takesStandings) {
        const policy = await onceReachable(() => readPolicyId(database.background), logger);
        const watch = async (signal: AbortSignal) => {
          const deps = { database, rules: campaignRules, policy, facts, signal };
          await compareLevels(deps);
          await announceChanges(deps);
        };
        const failed = "announcing changes of scores and levels failed; it is tried again";
        work.push(eachMinute(watch, { logger, failed, pauseMs: watchPauseMs }));
      }
    }
    const { digest: schedule } = config;
    if (schedule && settings) {
      const deps = { database, engine, applies, historyDays, schedule, settings };
      const queue = async () => {
        const queued = await queueDue(deps);
        if (queued) logger.info(queued, "the digest is queued");
      };
      work.push(eachMinute(queue, { logger, failed: "queueing the digest failed; it is tried again" }));
    }
  }
  logger.info({ scorers: engine.scorecards.map(({ package: { name, version } }) => `${name}@${version}`) }, "scoring");
  const uri = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.info.port}`;
  const takesResults = config.auth !== "oidc" || (oidc?.issuers.length ?? 0) > 0;
  process.stderr.write(greeting(uri, { ...config, board: board !== undefined, takesResults }, process.argv[1] ?? ""));
  await logReadiness({ config, settings, oidc, database, logger });
}

interface DayDependencies extends Pick<DaysDependencies, "database" | "scorecards" | "applies" | "logger"> {
  readonly config: Pick<Config, "historyDays" | "retireSilentDays">;
}

/**
 * Writes the roll-ups of the day. The instance that writes them also retires silent environments, and tries that each
 * minute until it succeeds.
 */
function dailyWork({ config, ...deps }: DayDependencies): (signal: AbortSignal) => Promise<void> {
  const { historyDays, retireSilentDays: days } = config;
  let isRetirementDue = false;
  return async (signal) => {
    if (await writeDays({ ...deps, historyDays, actor: actorOf(), signal })) isRetirementDue = days !== undefined;
    if (!isRetirementDue || days === undefined) return;
    const retired = await retireSilent(deps.database, { days, actor: actorOf(), signal });
    isRetirementDue = false;
    if (retired > 0)
      deps.logger.info({ retired, days }, "retired environments without a submission for that many days");
  };
}

/** Repeats a call until the database is reachable, so that the service may start before its database. */
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
