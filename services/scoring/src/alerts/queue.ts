import type { Knex } from "knex";
import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import { type Problem, type StoredProblem, severities } from "../store/problems.ts";
import { countAlerts, endThreads, queueAlert } from "./alerts.ts";
import { type Pace, startDispatch } from "./dispatch.ts";
import { alertText, resolvedText } from "./message.ts";
import type { SendMessage } from "./slack.ts";

/** What became of the alert of a report. */
export const alertStates = ["queued", "disabled", "no_channel", "not_needed"] as const;

export type AlertState = (typeof alertStates)[number];

/** Alerts on their way to the chat service: at least once each, one at a time and at most one a second per channel. */
export interface AlertQueue {
  /** Where alerts of problems without a channel go. */
  readonly defaultChannel: string | undefined;
  /** How many are waiting or being sent. */
  pending(): Promise<number>;
  /** How many were given up and not put back. */
  dead(): Promise<number>;
  /** Finishes what is being sent, within so many milliseconds; the rest waits for the next start. */
  stop(timeoutMs: number): Promise<void>;
}

/** What the queue counts. */
export interface AlertCounters {
  sent(): void;
  /** Given up after the last try, or refused for good. Each is counted by one process. */
  dead(): void;
}

/**
 * Queues what is to be told of a report that was stored, in the same transaction. The end of a problem is told in every
 * channel that was told of its opening.
 *
 * @param queue undefined where there is no chat to tell
 */
export async function tell(
  trx: Knex.Transaction,
  problem: Problem,
  stored: StoredProblem,
  queue: Pick<AlertQueue, "defaultChannel"> | undefined,
): Promise<AlertState> {
  const { area, team, app, env, problem_type, count, chat_channel = queue?.defaultChannel } = problem;
  const alert = { area, team, app, env, problem_type, severity: severities.indexOf(problem.severity), findings: count };
  if (stored.thread === null) {
    const ended = await endThreads(trx, stored.problem);
    if (ended.length === 0) return "not_needed";
    if (!queue) return "disabled";
    for (const { thread, channel } of ended) {
      const text = resolvedText(problem, Number(stored.reported_at) - openedAt(thread));
      await queueAlert(trx, { ...alert, thread, channel, text });
    }
    return "queued";
  }
  if (!queue) return "disabled";
  if (chat_channel === undefined) return "no_channel";
  await queueAlert(trx, { ...alert, thread: stored.thread, channel: chat_channel, text: alertText(problem) });
  return "queued";
}

/** When the problem was opened, in milliseconds since 1970, by the name of its opening. */
function openedAt(thread: string): number {
  return Number(thread.split("@")[1]) * 1_000;
}

/** Starts sending what is queued, by this process and by those that stopped before. */
export async function startAlertQueue(deps: {
  readonly database: Database;
  readonly send: SendMessage;
  readonly defaultChannel: string | undefined;
  readonly counters: AlertCounters;
  readonly logger: Logger;
  readonly pace?: Pace;
}): Promise<AlertQueue> {
  const { database, defaultChannel } = deps;
  const stop = startDispatch(deps);
  return {
    defaultChannel,
    stop,
    pending: async () => (await countAlerts(database.alerts)).pending,
    dead: async () => (await countAlerts(database.alerts)).dead,
  };
}
