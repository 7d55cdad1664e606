import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Database, isFaultOfStatement, withoutRow } from "../store/database.ts";
import { messageText } from "./message.ts";
import type { AlertCounters } from "./queue.ts";
import type { SendMessage } from "./slack.ts";
import {
  beginTry,
  endTurn,
  hasFailed,
  isGivenUp,
  type Outcome,
  type TriedAlert,
  type Turn,
  wasSent,
  wasTurnedAway,
} from "./turns.ts";

/** What delivering needs. */
export interface DeliveryDependencies {
  readonly database: Database;
  readonly send: SendMessage;
  readonly counters: AlertCounters;
  readonly logger: Logger;
  /** How long a channel rests after a message, in seconds. */
  readonly rest: number;
}

/** One try and twelve further ones, with pauses that double from 2 s to 10 min: about an hour in all. */
const maxTries = 13;
const longestPause = 600;

/** The longest wait that a `Retry-After` can ask for, in seconds. */
const longestWait = 3_600;

/** Between two attempts to reach the database, in milliseconds. */
const pauseMs = 1_000;

/**
 * Sends the next message of a channel in whose turn this process is, and notes what came of it.
 *
 * @param stopping ends the attempts to reach the database
 * @throws Error when nothing could be noted: it is sent again once the turn has passed
 */
export async function deliver(deps: DeliveryDependencies, turn: Turn, stopping: AbortSignal): Promise<void> {
  const { database, send, counters, logger, rest } = deps;
  const { channel } = turn;
  const alert = stopping.aborted ? undefined : await beginTry(database.alerts, channel);
  if (!alert) return end(0, async () => {});
  if (alert.tries > maxTries) return giveUp(alert, "no process finished sending it");
  const { opener } = alert;
  const sent = await send({ channel, text: messageText(alert), ...(opener !== null && { thread: opener }) });
  if (sent.status === "sent") {
    await end(rest, wasSent(alert, sent.message));
    return counters.sent();
  }
  if (sent.status === "refused" || alert.tries === maxTries) return giveUp(alert, sent.reason);
  if (sent.afterSeconds > 0) return end(Math.min(sent.afterSeconds, longestWait), wasTurnedAway(alert));
  logger.warn({ alert: alert.id, channel, reason: sent.reason }, "an alert could not be sent; it will be tried again");
  return end(rest, hasFailed(alert, Math.min(2 ** alert.tries, longestPause)));

  function giveUp(dead: TriedAlert, reason: string): Promise<void> {
    const told = () => {
      logger.error(
        { alert: dead.id, channel, reason },
        "an alert was given up; `maturity-service alerts` lists it and retries",
      );
      counters.dead();
    };
    return end(rest, isGivenUp(dead, reason, told));
  }

  /** Repeated while the database cannot be reached: an alert that was sent and not noted is sent twice. */
  async function end(seconds: number, outcome: Outcome): Promise<void> {
    for (let logged = false; ; logged = true) {
      try {
        return await endTurn(database.alerts, turn, seconds, outcome);
      } catch (error) {
        if (stopping.aborted || isFaultOfStatement(error)) throw error;
        if (!logged) logUnreachable(logger, error);
        await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }
}

/** Logs that a call to the database failed, which is made again. */
export function logUnreachable(logger: Logger, error: unknown): void {
  logger.error({ err: withoutRow(error) }, "the alert queue cannot reach the database");
}
