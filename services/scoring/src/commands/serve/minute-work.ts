import type { Engine } from "@maturity/core";
import { retireSilent } from "../../apps/retire-silent.ts";
import { announceCampaigns } from "../../campaigns/announce.ts";
import { recordCampaigns } from "../../campaigns/record-progress.ts";
import { areDaysWritten } from "../../history/day.ts";
import { type DaysDependencies, writeDays } from "../../history/days.ts";
import { prune } from "../../history/prune.ts";
import { queueDue } from "../../notifications/digest/digest.ts";
import type { Notifications } from "../../notifications/notifications.ts";
import type { NotifySettings } from "../../notifications/routes.ts";
import { announceChanges } from "../../notifications/standings/announce-changes.ts";
import { compareLevels } from "../../notifications/standings/compare-levels.ts";
import type { Rules } from "../../policy/rules.ts";
import { readPolicyId } from "../../store/known-levels.ts";
import { announceEnding } from "../../waivers/announce-ending.ts";
import { withdrawRequests } from "../../waivers/withdraw-undecided.ts";
import { actorOf } from "../actor.ts";
import type { Config } from "../config.ts";
import { eachMinute } from "./each-minute.ts";
import { onceReachable } from "./once-reachable.ts";

/** Pause between two looks for changed scores to announce, in milliseconds. */
const watchPauseMs = 5_000;

interface DailyDependencies extends Pick<DaysDependencies, "database" | "logger"> {
  readonly config: Pick<Config, "historyDays" | "retireSilentDays">;
  readonly rules: Pick<Rules, "scorecards" | "applies">;
}

interface MinuteDependencies extends DailyDependencies {
  readonly config: DailyDependencies["config"] & Pick<Config, "digest">;
  readonly engine: Engine;
  readonly rules: Rules;
  readonly settings: NotifySettings | undefined;
  readonly stopping: AbortSignal;
  readonly notifications: Pick<Notifications, "facts" | "takesStandings">;
}

/**
 * Starts what an instance looks at each minute: the days of the history, campaigns, requests for waivers that nobody decided,
 * and with notifications also waivers that end, changes of scores and levels, and the digest.
 *
 * @returns a function that stops all of it, and waits at most so many milliseconds for work under way. Nothing is started
 * if the process is `stopping` already.
 */
export async function startMinuteWork(deps: MinuteDependencies): Promise<(timeoutMs: number) => Promise<unknown>> {
  const { config, database, engine, rules, settings, notifications, logger, stopping } = deps;
  const { facts, takesStandings } = notifications;
  const policy = takesStandings ? await onceReachable(() => readPolicyId(database.background), logger) : undefined;
  const stops: ((timeoutMs: number) => Promise<void>)[] = [];
  const start = (name: string, work: (signal: AbortSignal) => Promise<unknown>, pauseMs?: number) => {
    const failed = `${name} failed; it is tried again`;
    stops.push(eachMinute(work, { logger, failed, ...(pauseMs !== undefined && { pauseMs }) }));
  };

  if (stopping.aborted) return async () => {};
  start("the daily work", dailyWork(deps));
  start("recording the progress of campaigns", async (signal) => {
    const campaigns = await recordCampaigns({ database, rules, signal });
    if (campaigns > 0) logger.info({ campaigns }, "the progress of campaigns is recorded");
  });
  start("withdrawing requests that nobody decided", async (signal) => {
    const withdrawn = await withdrawRequests(database, facts, { actor: actorOf(), signal });
    if (withdrawn > 0) logger.info({ withdrawn }, "withdrew requests for waivers that nobody decided");
  });
  if (settings) {
    start("announcing waivers that end", () => announceEnding(database, facts));
    start("announcing campaigns", (signal) => announceCampaigns({ database, rules, facts, signal }));
    if (policy !== undefined) {
      const watch = async (signal: AbortSignal) => {
        const watched = { database, rules, policy, facts, signal };
        await compareLevels(watched);
        await announceChanges(watched);
      };
      start("announcing changes of scores and levels", watch, watchPauseMs);
    }
    const { digest: schedule, historyDays } = config;
    if (schedule) {
      start("queueing the digest", async () => {
        const queued = await queueDue({ database, engine, applies: rules.applies, historyDays, schedule, settings });
        if (queued) logger.info(queued, "the digest is queued");
      });
    }
  }
  return (timeoutMs) => Promise.all(stops.map((stop) => stop(timeoutMs)));
}

/**
 * Writes the roll-ups of the day. Once all that are due are written, an instance that has written some of them deletes old
 * rows and retires silent environments, which recorded days would lack, and tries that each minute until it succeeds.
 */
export function dailyWork({
  config: { historyDays, retireSilentDays: days },
  rules: { scorecards, applies },
  ...deps
}: DailyDependencies): (signal: AbortSignal) => Promise<void> {
  const { database, logger } = deps;
  let isClearingDue = historyDays === 0; // what was recorded before goes at once
  return async (signal) => {
    const day = { database, scorecards, applies, logger, historyDays, actor: actorOf(), signal };
    if (await writeDays(day)) isClearingDue = true;
    if (!isClearingDue || !(await areDaysWritten(database))) return;
    const deleted = await prune(database, day);
    if (deleted > 0) logger.info({ deleted }, "rows older than the history are deleted");
    const retired = days === undefined ? 0 : await retireSilent(database, { days, actor: actorOf(), signal });
    if (retired > 0) logger.info({ retired, days }, "retired environments without a submission for that many days");
    isClearingDue = false;
  };
}
