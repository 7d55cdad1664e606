import type { Knex } from "knex";
import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import type { Problem } from "../store/problems.ts";
import { watchDead } from "./dead.ts";
import { startDispatch } from "./dispatch.ts";
import { alertText } from "./message.ts";
import { add } from "./moves.ts";
import { deadQueueName, queueName, startPgBoss } from "./pg-boss.ts";
import type { SendMessage } from "./slack.ts";

/** An alert to send. */
export interface Alert {
  readonly problem: Problem;
  readonly channel: string;
  /** Names the opening of the problem; its alerts share a thread. */
  readonly thread: string;
}

/** Alerts on their way to the chat service: at least once each, one at a time and at most one a second per channel. */
export interface AlertQueue {
  /** Where alerts of problems without a channel go. */
  readonly defaultChannel: string | undefined;
  /** Queues the alert in the caller's transaction. */
  enqueue(trx: Knex.Transaction, alert: Alert): Promise<void>;
  /** How many are waiting or being sent, by the last count. */
  pending(): Promise<number>;
  /** How many were given up and not put back, by the last count. */
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

/** Starts sending what is queued, by this process and by those that stopped before. */
export async function startAlertQueue(deps: {
  readonly database: Database;
  readonly send: SendMessage;
  readonly defaultChannel: string | undefined;
  readonly counters: AlertCounters;
  readonly logger: Logger;
}): Promise<AlertQueue> {
  const { database, send, defaultChannel, counters, logger } = deps;
  const boss = await startPgBoss(database, logger);
  await watchDead(boss, logger, counters.dead);
  const stopDispatch = startDispatch({ boss, database, send, onSent: counters.sent, logger });
  const count = async (queue: string) => (await boss.getQueueStats(queue, { force: true }))[0];
  return {
    defaultChannel,
    enqueue(trx, { problem, channel, thread }) {
      const { area, team, app, env, problem_type } = problem;
      const job = { channel, thread, text: alertText(problem), problem: { area, team, app, env, problem_type } };
      return add(boss, trx, job);
    },
    async pending() {
      const stats = await count(queueName);
      return stats ? stats.queuedCount + stats.activeCount : 0;
    },
    async dead() {
      return (await count(deadQueueName))?.totalCount ?? 0;
    },
    async stop(timeoutMs) {
      await stopDispatch(timeoutMs);
      await boss.stop({ close: false, timeout: timeoutMs });
    },
  };
}
