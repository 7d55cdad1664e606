import type { Knex } from "knex";

/**
 * The turn to send one message to a channel. As long as it lasts nobody else has one for this channel, so that what is
 * sent in it is sent once, and at the channel's pace.
 */
export interface Turn {
  readonly channel: string;
  /** Until when it lasts, as the database writes it; it names the turn. */
  readonly until: string;
}

/** An alert that is being sent. */
export interface TriedAlert {
  readonly id: string;
  readonly thread: string;
  readonly channel: string;
  readonly text: string;
  readonly findings: number;
  /** Of how many reports it tells. */
  readonly reports: number;
  /** How often it was tried, this time included. */
  readonly tries: number;
  /** The message that opened its thread; null when this one does. */
  readonly opener: string | null;
}

/** May be sent now. A reply waits for the opening of its thread, whatever becomes of that. */
const sendable = `
  waiting.given_up_at IS NULL AND waiting.due_at <= now() AND (waiting.opening OR NOT EXISTS (
    SELECT FROM alerts AS first
    WHERE first.thread = waiting.thread AND first.channel = waiting.channel AND first.opening AND first.given_up_at IS NULL
  ))
`;

/**
 * Takes the turn in each channel that has something to send and is not busy.
 *
 * @param options.except channels in which a turn is still to be ended
 * @param options.limit how many turns at the most
 * @param options.seconds how long they last, unless they are ended before
 */
export async function takeTurns(
  knex: Knex,
  { except, limit, seconds }: { except: readonly string[]; limit: number; seconds: number },
): Promise<Turn[]> {
  const { rows } = await knex.raw(
    `
    INSERT INTO alert_channels AS known (channel, busy_until)
    SELECT channel, now() + make_interval(secs => ?::float8)
    FROM (SELECT DISTINCT channel FROM alerts AS waiting WHERE ${sendable}) AS due
    LEFT JOIN alert_channels AS busy USING (channel)
    WHERE coalesce(busy.busy_until <= now(), true) AND channel <> ALL (?::text[])
    ORDER BY channel
    LIMIT ?::int
    ON CONFLICT (channel) DO UPDATE SET busy_until = excluded.busy_until WHERE known.busy_until <= now()
    RETURNING channel, busy_until::text AS until
    `,
    [seconds, [...except], limit],
  );
  return rows;
}

/**
 * Begins a try with the alert of the channel that comes first: what opens a thread before replies, then by severity, then
 * by age. One whose problem is just being reported again is left out.
 */
export async function beginTry(knex: Knex, channel: string): Promise<TriedAlert | undefined> {
  const { rows } = await knex.raw(
    `
    UPDATE alerts AS tried
    SET tries = tries + 1
    WHERE id = (
      SELECT id
      FROM alerts AS waiting
      WHERE channel = ?::text AND ${sendable}
      ORDER BY opening DESC, severity, queued_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, thread, channel, text, findings, reports, tries, (
      SELECT message_ts FROM alert_threads AS told WHERE told.thread = tried.thread AND told.channel = tried.channel
    ) AS opener
    `,
    [channel],
  );
  return rows[0];
}

/**
 * What came of a try, to be noted in one transaction with the end of its turn.
 *
 * @param ours false when the turn passed and another process had one since, or when the same was noted before
 */
export type Outcome = (trx: Knex.Transaction, ours: boolean) => Promise<unknown>;

/** A process that is cut off from the database in the middle keeps the rows locked for so long, in milliseconds. */
const idleLimitMs = 5_000;

/** Ends a turn. The next one in its channel begins after so many seconds at the earliest. */
export function endTurn(knex: Knex, { channel, until }: Turn, seconds: number, outcome: Outcome): Promise<void> {
  return knex.transaction(async (trx) => {
    await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = ${idleLimitMs}`);
    const { rows } = await trx.raw(
      `
      UPDATE alert_channels SET busy_until = now() + make_interval(secs => ?::float8)
      WHERE channel = ?::text AND busy_until = ?::timestamptz
      RETURNING channel
      `,
      [seconds, channel, until],
    );
    await outcome(trx, rows.length > 0);
  });
}

/**
 * The chat service took it. What was reported meanwhile still waits. A process whose turn had passed leaves the alert to
 * the next one: if both took their reports from the row, a report that came between would go with them.
 *
 * @param message the chat service's id of it, where it gave one
 */
export function wasSent({ id, thread, channel, reports }: TriedAlert, message: string | undefined): Outcome {
  return async (trx, ours) => {
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
  };
}

/** It failed, and is tried again after so many seconds. */
export function hasFailed({ id }: TriedAlert, seconds: number): Outcome {
  return async (trx, ours) => {
    if (!ours) return;
    await trx.raw("UPDATE alerts SET due_at = now() + make_interval(secs => ?::float8) WHERE id = ?::uuid", [
      seconds,
      id,
    ]);
  };
}

/** The chat service takes nothing now: that was no try. */
export function wasTurnedAway({ id }: TriedAlert): Outcome {
  return async (trx, ours) => {
    if (ours) await trx.raw("UPDATE alerts SET tries = tries - 1 WHERE id = ?::uuid", [id]);
  };
}

/**
 * It is not tried again.
 *
 * @param told called in the transaction, so that a process which is killed before the commit leaves it to another one,
 * which tells it too
 */
export function isGivenUp({ id }: TriedAlert, reason: string, told: () => void): Outcome {
  return async (trx, ours) => {
    if (!ours) return;
    await trx.raw("UPDATE alerts SET given_up_at = now(), reason = ?::text WHERE id = ?::uuid", [reason, id]);
    told();
  };
}
