import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Logger } from "pino";
import { type Database, isFaultOfStatement, withoutRow } from "../store/database.ts";
import { messageText, type WaitingMessage } from "./message.ts";
import type { AlertCounters } from "./metrics.ts";
import type { SendMessage } from "./slack.ts";

/** The dependencies of delivery. */
export interface DeliveryDependencies {
  readonly database: Database;
  readonly send: SendMessage;
  readonly counters: AlertCounters;
  readonly logger: Logger;
  /** How long a channel rests after a message, in seconds. */
  readonly rest: number;
}

/**
 * The right to send one message to a channel. While a turn lasts, no other process has one for the same channel, so
 * each message is sent once and the channel's pace is kept.
 */
export interface Turn {
  readonly channel: string;
  /** The end of the turn, in the database's notation. It also identifies the turn. */
  readonly until: string;
}

/** An alert that is being sent. */
interface TriedAlert extends WaitingMessage {
  readonly id: string;
  readonly thread: string;
  readonly channel: string;
  /** Number of tries, including this one. */
  readonly tries: number;
}

/** The result of a turn. */
interface TurnResult {
  /** How long the channel rests from now on, in seconds. */
  readonly rest: number;
  /**
   * Stores the result of the alert, in the transaction that ends the turn.
   *
   * @param ours false if the turn had ended before, or if this result was stored before
   */
  note(trx: Knex.Transaction, ours: boolean): Promise<unknown>;
}

/** One try and twelve retries. The pauses between them double from 2 s to 10 min, which is about an hour in all. */
const maxTries = 13;
const longestPause = 600;

/** The longest `Retry-After` that is followed, in seconds. */
const longestWait = 3_600;

/** Pause between two attempts to reach the database, in milliseconds. */
const pauseMs = 1_000;

/**
 * The database ends the transaction of a process that has been silent for this long, in milliseconds, so that its rows
 * are free.
 */
const idleLimitMs = 5_000;

/**
 * Sends the next message of a channel and stores the result. If the result were lost, the message would be sent a
 * second time; so storing it is repeated while the database cannot be reached.
 *
 * @param turn this process's turn in the channel
 * @param stopping ends the attempts to reach the database
 * @throws Error if the result could not be stored. The message is then sent again after the end of the turn.
 */
export async function deliver(deps: DeliveryDependencies, turn: Turn, stopping: AbortSignal): Promise<void> {
  const { alerts } = deps.database;
  const alert = stopping.aborted ? undefined : await beginTry(alerts, turn.channel);
  const outcome = alert ? await trySending(deps, alert) : { rest: 0, note: async () => {} };
  for (let logged = false; ; logged = true) {
    try {
      return await endTurn(alerts, turn, outcome);
    } catch (error) {
      if (stopping.aborted || isFaultOfStatement(error)) throw error;
      if (!logged) logUnreachable(deps.logger, error);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** Logs a failed call to the database, which will be repeated. */
export function logUnreachable(logger: Logger, error: unknown): void {
  logger.error({ err: withoutRow(error) }, "the alert queue cannot reach the database");
}

async function trySending(deps: DeliveryDependencies, alert: TriedAlert): Promise<TurnResult> {
  const { send, counters, logger, rest } = deps;
  const { id, channel, tries, opener } = alert;
  if (tries > maxTries) return givenUp(deps, alert, "no process finished sending it");
  const sent = await send({ channel, text: messageText(alert), ...(opener !== null && { thread: opener }) });
  if (sent.status === "sent") {
    counters.sent();
    return { rest, note: (trx, ours) => noteSent(trx, alert, sent.message, ours) };
  }
  if (sent.status === "refused" || tries === maxTries) return givenUp(deps, alert, sent.reason);
  if (sent.afterSeconds > 0) {
    // The chat service takes nothing now: that was no try.
    return {
      rest: Math.min(sent.afterSeconds, longestWait),
      note: async (trx, ours) => ours && trx.raw("UPDATE alerts SET tries = tries - 1 WHERE id = ?::uuid", [id]),
    };
  }
  logger.warn({ alert: id, channel, reason: sent.reason }, "an alert could not be sent; it will be tried again");
  const pause = Math.min(2 ** tries, longestPause);
  const again = "UPDATE alerts SET due_at = now() + make_interval(secs => ?::float8) WHERE id = ?::uuid";
  return { rest, note: async (trx, ours) => ours && trx.raw(again, [pause, id]) };
}

/**
 * The log line is written inside the transaction. If the process is killed before the commit, another process gives the
 * alert up and writes the line again.
 */
function givenUp({ counters, logger, rest }: DeliveryDependencies, alert: TriedAlert, reason: string): TurnResult {
  const { id, channel } = alert;
  const advice = "an alert was given up; `maturity-service alerts` lists it and retries";
  return {
    rest,
    async note(trx, ours) {
      if (!ours) return;
      await trx.raw("UPDATE alerts SET given_up_at = now(), reason = ?::text WHERE id = ?::uuid", [reason, id]);
      logger.error({ alert: id, channel, reason }, advice);
      counters.dead();
    },
  };
}

/**
 * Condition for an alert that may be sent now. A reply waits until the opening message of its thread was sent or given
 * up.
 */
export const sendable = `
  waiting.given_up_at IS NULL AND waiting.due_at <= now() AND (waiting.opening OR NOT EXISTS (
    SELECT FROM alerts AS first
    WHERE first.thread = waiting.thread AND first.channel = waiting.channel AND first.opening AND first.given_up_at IS NULL
  ))
`;

/**
 * Begins a try with the first alert of the channel. Messages that open a thread come before replies; then the worst
 * severity comes first, then the oldest. An alert whose row is locked, because its problem is being reported at this
 * moment, is left out.
 */
async function beginTry(knex: Knex, channel: string): Promise<TriedAlert | undefined> {
  const { rows } = await knex.raw(
    `
    WITH tried AS (
      UPDATE alerts
      SET tries = tries + 1
      WHERE id = (
        SELECT id
        FROM alerts AS waiting
        WHERE channel = ?::text AND ${sendable}
        ORDER BY opening DESC, severity, queued_at
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      )
      RETURNING id, thread, channel, text, findings, reports, tries
    )
    SELECT tried.*, message_ts AS opener FROM tried LEFT JOIN alert_threads USING (thread, channel)
    `,
    [channel],
  );
  return rows[0];
}

/** Ends a turn. The channel's next turn begins after the rest at the earliest. */
function endTurn(knex: Knex, { channel, until }: Turn, { rest, note }: TurnResult): Promise<void> {
  return knex.transaction(async (trx) => {
    await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = ${idleLimitMs}`);
    const { rows } = await trx.raw(
      `
      UPDATE alert_channels SET busy_until = now() + make_interval(secs => ?::float8)
      WHERE channel = ?::text AND busy_until = ?::timestamptz
      RETURNING channel
      `,
      [rest, channel, until],
    );
    await note(trx, rows.length > 0);
  });
}

/**
 * Stores that the chat service accepted the message. Reports that arrived in the meantime stay queued. If the turn had
 * ended before, only the thread is stored and the alert is left to the process that has the turn now: if both
 * subtracted their reports, a report that arrived in between would be lost.
 *
 * @param message the chat service's id of the message, if it returned one
 */
async function noteSent(
  trx: Knex.Transaction,
  { id, thread, channel, reports }: TriedAlert,
  message: string | undefined,
  ours: boolean,
): Promise<void> {
  await trx.raw(
    `
    INSERT INTO alert_threads AS told (thread, channel, message_ts)
    VALUES (?::text, ?::text, ?::text)
    ON CONFLICT (thread, channel) DO UPDATE SET message_ts = excluded.message_ts WHERE told.message_ts IS NULL
    `,
    [thread, channel, message ?? null],
  );
  if (!ours) return;
  await trx.raw("UPDATE alerts SET reports = reports - ?::int, tries = 0 WHERE id = ?::uuid", [reports, id]);
  await trx.raw("DELETE FROM alerts WHERE id = ?::uuid AND reports <= 0", [id]);
}
