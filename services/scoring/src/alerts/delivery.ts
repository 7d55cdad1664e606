import { setTimeout as sleep } from "node:timers/promises";
import { fromKnex, type JobWithMetadata, type PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { findThread, saveThread } from "../store/alert-threads.ts";
import { type Database, isFaultOfStatement } from "../store/database.ts";
import { affected, giveUp, putBack } from "./moves.ts";
import { type AlertJob, logUnreachable, longestWait, queueName } from "./pg-boss.ts";
import type { SendMessage, Sent } from "./slack.ts";

/** What delivering needs. */
export interface DeliveryDependencies {
  readonly boss: PgBoss;
  readonly database: Database;
  readonly send: SendMessage;
  /** Called for each message that the chat service took. */
  readonly onSent: () => void;
  readonly logger: Logger;
}

/**
 * Slack accepts about one message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits. The channel
 * rests before each message, while its job is held, and not after it: then what was sent is noted at once, and whichever
 * process takes the next job of the channel has rested too.
 */
const restMs = 1_000;

/** Between two attempts to reach the database, in milliseconds. */
const pauseMs = 1_000;

/**
 * Sends one alert that this process holds, and notes what came of it.
 *
 * @param stopping what is not being sent yet goes back to the queue
 * @throws Error when nothing could be noted: the alert is sent again once nobody vouches for it
 */
export async function deliver(
  deps: DeliveryDependencies,
  job: JobWithMetadata<AlertJob>,
  stopping: AbortSignal,
): Promise<void> {
  const { boss, database, send, onSent, logger } = deps;
  const { channel, thread, text } = job.data;
  for (let waitMs = restMs; ; ) {
    if (await wait(waitMs, stopping)) return void (await insist(() => putBack(deps, job)));
    if (!(await insist(async () => affected(await boss.touch(queueName, job))))) return;
    const parent = await insist(() => findThread(database.background, { thread, channel }));
    const sent = await send({ channel, text, ...(parent !== undefined && { thread: parent }) });
    if (sent.status === "sent") {
      await insist(() => noteSent(parent === undefined ? sent.message : undefined));
      return onSent();
    }
    if (sent.status === "refused" || sent.afterSeconds === 0) return noteFailed(sent);
    waitMs = Math.min(sent.afterSeconds, longestWait) * 1_000;
  }

  /** @param opener the message, when it opened the thread */
  function noteSent(opener: string | undefined): Promise<void> {
    return database.background.transaction(async (trx) => {
      if (opener) await saveThread(trx, { thread, channel }, opener);
      await boss.complete(queueName, job, undefined, { db: fromKnex(trx) });
    });
  }

  async function noteFailed({ status, reason }: Exclude<Sent, { status: "sent" }>): Promise<void> {
    if (status === "refused" || job.retryCount >= job.retryLimit) {
      await insist(() => giveUp(deps, job, reason));
      return;
    }
    logger.warn({ alert: job.id, channel, reason }, "an alert could not be sent; it will be tried again");
    await insist(() => boss.fail(queueName, job, { reason }));
  }

  /** Repeats a call to the database while that cannot be reached: an alert that was sent and not noted is sent twice. */
  async function insist<T>(call: () => Promise<T>): Promise<T> {
    for (let logged = false; ; logged = true) {
      try {
        return await call();
      } catch (error) {
        if (stopping.aborted || isFaultOfStatement(error)) throw error;
        if (!logged) logUnreachable(logger, error);
        await wait(pauseMs, stopping);
      }
    }
  }
}

/** Waits, and says whether it was ended early. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, false, { signal }).catch(() => true);
}
