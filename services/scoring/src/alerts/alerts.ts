import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { AlertState, Problem } from "../model/problem.ts";
import type { Database } from "../store/database.ts";
import { withoutRow } from "../store/failures.ts";
import type { StoredProblem } from "../store/problems.ts";
import { deleteOld } from "./dead-letters.ts";
import { deliver, type Lease, logUnreachable, takeLeases } from "./delivery.ts";
import { createAlertCounters, watchQueue } from "./metrics.ts";
import { queueAlert } from "./queue.ts";
import { type ChatConfig, createSlackSender } from "./slack.ts";
import { dropWaived } from "./waived.ts";

/**
 * Alerts to the chat. `queue.ts` stores the message about a problem; this file decides when a channel gets its next message;
 * `delivery.ts` sends it and stores the result; `slack.ts` calls the chat service.
 */
export interface Alerts {
  /** Queues the message about a problem, in the transaction that stores the problem. */
  queue(trx: Knex.Transaction, problem: Problem, stored: StoredProblem): Promise<AlertState>;
  /** Stops sending. Waits at most this many milliseconds for messages under way; other messages stay queued. */
  stop(timeoutMs: number): Promise<void>;
}

/** The dependencies of alerts. */
export interface AlertDependencies {
  readonly database: Database;
  /** Absent without a chat token. Then nothing is queued or sent. */
  readonly chat: ChatConfig | undefined;
  /** The metrics of alerts are registered here. */
  readonly registry: Registry;
  readonly logger: Logger;
  readonly pace?: Pace | undefined;
}

/** The pauses of the sender, in seconds. */
export interface Pace {
  /** Pause between two messages to one channel. */
  readonly rest: number;
  /** Pause between two readings of the queue. */
  readonly poll: number;
}

/** Slack accepts about one message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits */
export const slackPace: Pace = { rest: 1, poll: 1 };

/** How long dead letters are kept, in days. */
const keptDays = 90;

/** Pause between two deletions of old rows, in milliseconds. */
const cleanUpMs = 60_000;

/** Starts sending queued alerts, whichever instance queued them. A channel that waits or fails delays no other channel. */
export function startAlerts({ database, chat, registry, logger, pace = slackPace }: AlertDependencies): Alerts {
  const { alerts } = database;
  const counters = createAlertCounters(registry);
  const queue: Alerts["queue"] = (trx, problem, stored) => queueAlert(trx, problem, stored, chat);
  if (!chat) return { queue, stop: () => Promise.resolve() };
  watchQueue(registry, alerts);
  const delivery = { alerts, send: createSlackSender(chat), counters, logger, rest: pace.rest };
  const sending = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let pause = new AbortController();
  let cleanUpAt = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await poll().catch((error) => logUnreachable(logger, error));
      await sleep(pace.poll * 1_000, undefined, { signal: pause.signal }).catch(() => {});
      pause = new AbortController();
    }
  }

  async function poll(): Promise<void> {
    if (performance.now() >= cleanUpAt) {
      await deleteOld(alerts, keptDays);
      cleanUpAt = performance.now() + cleanUpMs;
    }
    await dropWaived(alerts);
    for (const lease of await takeLeases(alerts, [...sending.keys()])) sending.set(lease.channel, send(lease));
  }

  async function send(lease: Lease): Promise<void> {
    const { channel } = lease;
    await deliver(delivery, lease, stopping.signal).catch((error) =>
      logger.error(
        { err: withoutRow(error), channel },
        "sending to a channel failed; it is tried again when the lease ends",
      ),
    );
    sending.delete(channel);
    setTimeout(() => pause.abort(), pace.rest * 1_000).unref();
  }

  const running = run();
  return {
    queue,
    async stop(timeoutMs) {
      stopping.abort();
      pause.abort();
      const ended = running.then(() => Promise.all(sending.values()));
      await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}
