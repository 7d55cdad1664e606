import type { Knex } from "knex";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { AlertState, Problem } from "../model/problem.ts";
import type { Database } from "../store/database.ts";
import type { StoredProblem } from "../store/problems.ts";
import { type Pace, startDispatch } from "./dispatch.ts";
import { createAlertCounters, watchQueue } from "./metrics.ts";
import { queueAlert } from "./queue.ts";
import { type ChatConfig, createSlackSender } from "./slack.ts";

/**
 * Alerts of the chat. A problem becomes a message in four steps, each with a file of its name: `queue.ts`,
 * `dispatch.ts`, `delivery.ts`, `slack.ts`.
 */
export interface Alerts {
  /** Queues the message about a stored report, in the transaction that stores the report. */
  queue(trx: Knex.Transaction, problem: Problem, stored: StoredProblem): Promise<AlertState>;
  /**
   * Stops sending. Waits at most this many milliseconds for messages under way; the others stay queued for the next
   * start.
   */
  stop(timeoutMs: number): Promise<void>;
}

/** What alerts are made of. */
export interface AlertDependencies {
  readonly database: Database;
  /** Absent when no chat token is configured. Then nothing is queued or sent. */
  readonly chat: ChatConfig | undefined;
  /** The metrics of alerts are registered here. */
  readonly registry: Registry;
  readonly logger: Logger;
  readonly pace?: Pace | undefined;
}

/** Starts sending queued alerts, whichever process queued them. */
export function startAlerts({ database, chat, registry, logger, pace }: AlertDependencies): Alerts {
  const counters = createAlertCounters(registry);
  if (chat) watchQueue(registry, database.alerts);
  return {
    queue: (trx, problem, stored) => queueAlert(trx, problem, stored, chat),
    stop: chat
      ? startDispatch({ database, send: createSlackSender(chat), counters, logger, pace })
      : () => Promise.resolve(),
  };
}
