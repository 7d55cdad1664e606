import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Logger } from "pino";
import { isFaultOfStatement, withoutRow } from "../store/failures.ts";
import { problemNameOf } from "../store/problems.ts";
import { messageText, type WaitingMessage } from "./message.ts";
import type { AlertCounters } from "./metrics.ts";
import type { SendMessage, Sent } from "./slack.ts";
import { mustNotBeSent } from "./waived.ts";

/** The dependencies of delivery. */
export interface DeliveryDependencies {
  readonly alerts: Knex;
  readonly send: SendMessage;
  readonly counters: AlertCounters;
  readonly logger: Logger;
  /** Pause of a channel after a message, in seconds. */
  readonly rest: number;
}

/**
 * The right to send an alert to its channel. A channel has one lease at a time over all instances, so each message is sent
 * once and the channel's pace is kept.
 */
export interface Lease extends WaitingMessage {
  /** The id of the alert. */
  readonly id: string;
  readonly thread: string;
  readonly channel: string;
  /** Number of tries, including this one. */
  readonly tries: number;
  /** The end of the lease, in the database's notation. It also identifies the lease. */
  readonly until: string;
}

/** The largest number of channels that one instance sends to at the same time. */
const maxChannels = 1_000;

/**
 * After this many seconds a lease ends by itself, because its instance is then assumed dead. One call to the chat service
 * takes at most a third of this.
 */
const leaseSeconds = 30;

/** One try and twelve retries. The pauses between them double from 2 s to 10 min, which is about an hour in all. */
const maxTries = 13;
const longestPause = 600;

/** The longest `Retry-After` that is followed, in seconds. */
const longestWait = 3_600;

const deadLetter = "an alert is a dead letter now; `maturity-service alerts` lists it and retries";

/** Pause between two attempts to reach the database, in milliseconds. */
const pauseMs = 1_000;

/**
 * Takes a lease of each free channel with a waiting alert, and selects the first alert of the channel. Messages that open a
 * thread come before replies; then the worst severity comes first, then the oldest. Three kinds of alerts are skipped: a
 * reply while the opening message of its thread waits, an alert of a problem that is waived by now, and an alert whose row
 * is locked because its problem is being reported at this moment.
 *
 * @param busy channels of which this instance has a lease already
 */
export async function takeLeases(alerts: Knex, busy: readonly string[]): Promise<Lease[]> {
  const { rows } = await alerts.raw(
    `
    WITH next AS (
      SELECT id, channel
      FROM (
        SELECT DISTINCT channel
        FROM alerts LEFT JOIN alert_channels USING (channel)
        WHERE dead_since IS NULL AND channel <> ALL (?::text[]) AND coalesce(busy_until <= now(), true)
      ) AS free
      CROSS JOIN LATERAL (
        SELECT id
        FROM alerts AS waiting
        WHERE waiting.channel = free.channel AND dead_since IS NULL AND due_at <= now()
          AND NOT ${mustNotBeSent("waiting")} AND (
          opening OR NOT EXISTS (
            SELECT FROM alerts AS first
            WHERE first.thread = waiting.thread AND first.channel = waiting.channel AND first.opening
              AND first.dead_since IS NULL
          )
        )
        ORDER BY opening DESC, severity, queued_at
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS alert
      ORDER BY channel
      LIMIT ?::int
    ),
    taken AS (
      INSERT INTO alert_channels AS known (channel, busy_until)
      SELECT channel, now() + make_interval(secs => ?::float8) FROM next
      ON CONFLICT (channel) DO UPDATE SET busy_until = excluded.busy_until WHERE known.busy_until <= now()
      RETURNING channel, busy_until
    ),
    tried AS (
      UPDATE alerts
      SET tries = tries + 1
      WHERE id IN (SELECT id FROM next JOIN taken USING (channel))
      RETURNING id, thread, channel, problem_id, text, findings, reports, tries
    )
    SELECT tried.*, busy_until::text AS until, message_ts AS opener, ${problemNameOf("tried")} AS problem
    FROM tried JOIN taken USING (channel) LEFT JOIN alert_threads USING (thread, channel)
    `,
    [[...busy], maxChannels - busy.length, leaseSeconds],
  );
  return rows;
}

/**
 * Sends the alert of a lease and stores the outcome. While the database cannot be reached, storing is repeated, because a
 * lost outcome would send the message a second time.
 *
 * @param stopping ends the attempts to reach the database
 * @throws Error if the outcome could not be stored. The message is then sent again after the end of the lease.
 */
export async function deliver(deps: DeliveryDependencies, lease: Lease, stopping: AbortSignal): Promise<void> {
  const sent = await trySending(deps.send, lease);
  if (sent.status === "sent") deps.counters.sent.inc();
  for (let logged = false; ; logged = true) {
    try {
      return await endLease(deps, lease, sent);
    } catch (error) {
      if (stopping.aborted || isFaultOfStatement(error)) throw error;
      if (!logged) logUnreachable(deps.logger, error);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** Logs a failed call to the database that is going to be repeated. */
export function logUnreachable(logger: Logger, error: unknown): void {
  logger.error({ err: withoutRow(error) }, "the alert queue cannot reach the database");
}

async function trySending(send: SendMessage, lease: Lease): Promise<Sent> {
  if (lease.tries > maxTries) return { status: "refused", reason: "no process finished sending it" };
  const sent = await send({ channel: lease.channel, text: messageText(lease), thread: lease.opener });
  return sent.status === "failed" && lease.tries === maxTries ? { ...sent, status: "refused" } : sent;
}

/**
 * Ends a lease and stores the outcome of its alert. The channel's next lease begins after the pause at the earliest. If this
 * lease has ended already, only the thread is stored, and the alert is left to the instance with the present lease: if both
 * subtracted their reports, a report that arrived in between would be lost.
 *
 * The log lines are written inside the transaction. If the process is killed before the commit, another instance makes the
 * alert a dead letter and writes the line again.
 */
function endLease(deps: DeliveryDependencies, lease: Lease, sent: Sent): Promise<void> {
  const { alerts, counters, logger } = deps;
  const { id, thread, channel, until, reports, tries } = lease;
  const pause = sent.status === "busy" ? Math.min(sent.seconds, longestWait) : deps.rest;
  return alerts.transaction(async (trx) => {
    const change = (assignments: string, ...values: readonly Knex.Value[]) =>
      trx.raw(`UPDATE alerts SET ${assignments} WHERE id = ?::uuid`, [...values, id]);
    // Every transaction locks the thread first, then the alert, then the channel, so that no deadlock occurs.
    if (sent.status === "sent" && sent.message !== undefined) {
      await trx.raw(
        `
        UPDATE alert_threads SET message_ts = ?::text
        WHERE thread = ?::text AND channel = ?::text AND message_ts IS NULL
        `,
        [sent.message, thread, channel],
      );
    }
    await trx.raw("SELECT FROM alerts WHERE id = ?::uuid FOR UPDATE", [id]);
    const { rows } = await trx.raw(
      `
      UPDATE alert_channels SET busy_until = now() + make_interval(secs => ?::float8)
      WHERE channel = ?::text AND busy_until = ?::timestamptz
      RETURNING channel
      `,
      [pause, channel, until],
    );
    if (rows.length === 0) return;
    switch (sent.status) {
      case "sent":
        await change("reports = reports - ?::int, tries = 0", reports);
        await trx.raw("DELETE FROM alerts WHERE id = ?::uuid AND reports <= 0", [id]);
        break;
      case "busy": // The chat service accepts nothing now, so this does not count as a try.
        await change("tries = tries - 1");
        break;
      case "failed":
        await change("due_at = now() + make_interval(secs => ?::float8)", Math.min(2 ** tries, longestPause));
        logger.warn({ alert: id, channel, reason: sent.reason }, "an alert could not be sent; it will be tried again");
        break;
      case "refused":
        await change("dead_since = now(), reason = ?::text", sent.reason);
        logger.error({ alert: id, channel, reason: sent.reason }, deadLetter);
        counters.dead.inc();
    }
  });
}
