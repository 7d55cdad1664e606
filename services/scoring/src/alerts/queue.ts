import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { fromKnex, fromPglite, type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { findThread, saveThread } from "../store/alert-threads.ts";
import type { Database } from "../store/database.ts";
import type { Problem } from "../store/problems.ts";
import { alertText } from "./message.ts";
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
  /** Finishes what is being sent, within so many milliseconds; the rest waits for the next start. */
  stop(timeoutMs: number): Promise<void>;
}

/** What the queue counts. */
export interface AlertCounters {
  sent(): void;
  /** Given up after the last try, or refused for good. */
  dead(): void;
}

interface AlertJob {
  readonly channel: string;
  readonly thread: string;
  readonly text: string;
}

const queueName = "alerts";
const deadQueueName = "alerts-dead";
const day = 86_400;

/** Twelve further tries with pauses that double from 2 s to 10 min: about an hour in all. */
const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };

/** A process that ends while it sends is noticed after so many seconds, and another one sends. */
const heartbeatSeconds = 30;

/**
 * How often pg-boss looks at its queues, in seconds. Fetching passes over the channels that were active at the last
 * look, so a longer interval makes a busy channel wait as long.
 */
const lookSeconds = { superviseIntervalSeconds: 2, monitorIntervalSeconds: 2, queueCacheIntervalSeconds: 1 };

/** Slack accepts about one message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits */
const pauseMs = 1_000;

/** The longest wait that a `Retry-After` can ask for, in seconds; it stays below the time a job may take. */
const longestWait = 600;

/** Starts sending what is queued, by this process and by those that stopped before. */
export async function startAlertQueue(deps: {
  readonly database: Database;
  readonly send: SendMessage;
  readonly defaultChannel: string | undefined;
  readonly counters: AlertCounters;
  readonly logger: Logger;
}): Promise<AlertQueue> {
  const { database, send, defaultChannel, counters, logger } = deps;
  const boss = new PgBoss({ db: adapter(database), backend: database.engine, schedule: false, ...lookSeconds });
  boss.on("error", (error) => logger.error({ err: error }, "the alert queue cannot reach the database"));
  await boss.start();
  await boss.createQueue(deadQueueName, { retentionSeconds: 90 * day });
  await boss.createQueue(queueName, { policy: "singleton", deadLetter: deadQueueName, heartbeatSeconds, ...retries });
  await boss.work(
    queueName,
    { groupConcurrency: 1, localConcurrency: 4, pollingIntervalSeconds: 1, includeMetadata: true, perJobResults: true },
    (jobs: JobWithMetadata<AlertJob>[]) => Promise.all(jobs.map(deliver)),
  );
  return {
    defaultChannel,
    async enqueue(trx, { problem, channel, thread }) {
      const job: AlertJob = { channel, thread, text: alertText(problem) };
      await boss.send(queueName, job, { singletonKey: channel, group: { id: channel }, db: fromKnex(trx) });
    },
    async pending() {
      const [stats] = await boss.getQueueStats(queueName, { force: true });
      return stats ? stats.queuedCount + stats.activeCount : 0;
    },
    stop: (timeoutMs) => boss.stop({ close: false, timeout: timeoutMs }),
  };

  async function deliver(job: JobWithMetadata<AlertJob>): Promise<JobResult> {
    const { channel, thread, text } = job.data;
    const parent = await findThread(database.knex, { thread, channel });
    for (;;) {
      const sent = await send({ channel, text, ...(parent !== undefined && { thread: parent }) });
      if (sent.status === "sent") {
        if (parent === undefined) await saveThread(database.knex, { thread, channel }, sent.message);
        counters.sent();
        await sleep(pauseMs);
        return { id: job.id, status: "completed" };
      }
      if (sent.status === "retry" && sent.afterSeconds > 0) {
        await sleep(Math.min(sent.afterSeconds, longestWait) * 1_000, undefined, { signal: job.signal });
        continue;
      }
      return failed(job, sent);
    }
  }

  function failed(job: JobWithMetadata<AlertJob>, { status, reason }: { status: string; reason: string }): JobResult {
    const dead = status === "refused" || job.retryCount >= job.retryLimit;
    const about = { alert: job.id, channel: job.data.channel, reason };
    if (!dead) {
      logger.warn(about, "an alert could not be sent; it will be tried again");
      return { id: job.id, status: "failed", output: { reason } };
    }
    counters.dead();
    logger.error(about, `an alert was given up; it is kept in the queue ${deadQueueName}`);
    return { id: job.id, status: "deadletter", output: { reason } };
  }
}

/**
 * pg-boss on the connections of the store. Where a block of its statements fails, the transaction it began is rolled
 * back before the connection serves others. On the embedded database its statements wait for transactions to end.
 */
function adapter({ engine, background }: Database): ReturnType<typeof fromKnex> {
  return {
    async executeSql(text, values) {
      const connection = await background.client.acquireConnection();
      try {
        if (engine === "pglite") return await fromPglite(connection).executeSql(text, values);
        const results: { rows: unknown[] }[] = [await connection.query(text, values)].flat();
        return { rows: results.flatMap(({ rows }) => rows) };
      } catch (error) {
        await connection.query("ROLLBACK").catch(() => {});
        throw error;
      } finally {
        await background.client.releaseConnection(connection);
      }
    },
  };
}
