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

/** The way of an alert: `queue.ts` → `dispatch.ts` → `delivery.ts` → `slack.ts`. */
export interface Alerts {
  /** Queues what the chat is told of a report that was stored, in the transaction of the report. */
  queue(trx: Knex.Transaction, problem: Problem, stored: StoredProblem): Promise<AlertState>;
  /** Finishes what is being sent, within so many milliseconds; the rest waits for the next start. */
  stop(timeoutMs: number): Promise<void>;
}

/** What alerts are made of. */
export interface AlertDependencies {
  readonly database: Database;
  /** Absent where no chat token is configured: nothing is queued or sent then. */
  readonly chat: ChatConfig | undefined;
  /** Gets the metrics of alerts. */
  readonly registry: Registry;
  readonly logger: Logger;
  readonly pace?: Pace | undefined;
}

/** Starts sending what is queued, by this process and by those that stopped before. */
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
