import type { Knex } from "knex";
import sql from "sql-template-tag";
import type { Fact } from "../model/fact.ts";
import { query } from "../store/sql.ts";
import { currentFact } from "./current-fact.ts";
import { insertAdded } from "./outbox.ts";
import { textOf, wordsOf } from "./words.ts";

/** A notification that is not tried again: all tries failed, or its destination refused it. */
export interface DeadLetter extends Pick<Fact, "type" | "area" | "team" | "app" | "env"> {
  readonly id: string;
  readonly dead_since: Date;
  readonly destination: string;
  /** Empty if the destination has one address only. */
  readonly address: string;
  readonly reason: string;
  /** What it says. */
  readonly text: string;
}

interface DeadRow extends Pick<DeadLetter, "id" | "dead_since" | "destination" | "address" | "reason"> {
  readonly fact: Fact;
  readonly reports: number;
  readonly at: Date;
  readonly thread: string | null;
}

/** All dead letters, the oldest first. */
export async function listDeadLetters(knex: Knex): Promise<DeadLetter[]> {
  const rows: DeadRow[] = await query(knex)`
    SELECT id, dead_since, destination, address, reason, ${currentFact("notifications")} AS fact, reports,
      happened_at AS at, message AS thread
    FROM notifications LEFT JOIN notification_threads USING (subject, destination, address)
    WHERE dead_since IS NOT NULL
    ORDER BY dead_since, id
  `;
  return rows.map(({ fact, reports, at, thread, ...letter }) => {
    const { type, area, team, app, env } = fact;
    const text = textOf(wordsOf({ fact, reports, at, thread, link: null }));
    return { ...letter, ...{ type, area, team, app, env }, text };
  });
}

/**
 * Puts a dead letter back, with no try counted. If its problem has been resolved since, it is deleted, because it would look
 * like an open problem; it is kept while the message about the resolution still waits.
 *
 * @returns `waits` or `deleted`; undefined if the id is of no dead letter, as after another caller put it back
 */
export async function putBack(knex: Knex, id: string): Promise<"waits" | "deleted" | undefined> {
  const [dead] = await query(knex)`
    WITH dead AS (
      DELETE FROM notifications
      WHERE id = ${id}::uuid AND dead_since IS NOT NULL
      RETURNING *
    ),
    added AS (
      SELECT dead.*
      FROM dead LEFT JOIN notification_threads USING (subject, destination, address)
      WHERE type = 'problem.resolved' OR resolved_at IS NULL OR EXISTS (
        SELECT FROM notifications AS ending
        WHERE (ending.subject, ending.destination, ending.address) = (dead.subject, dead.destination, dead.address)
          AND ending.type = 'problem.resolved'
      )
    ),
    queued AS (${insertAdded})
    SELECT EXISTS (SELECT FROM queued) AS waits FROM dead
  `;
  return dead && (dead.waits ? "waits" : "deleted");
}

/** Deletes a dead letter. Returns whether the id was of one. */
export async function dropDeadLetter(knex: Knex, id: string): Promise<boolean> {
  const rows = await query(knex)`
    DELETE FROM notifications WHERE id = ${id}::uuid AND dead_since IS NOT NULL RETURNING id
  `;
  return rows.length > 0;
}

/** How many threads are deleted at once; the limit keeps notifications from waiting for the deletion. */
const maxDeletedThreads = 5_000;

/** SQL of the time at which a thread ended; null while its problem is open. A thread about no problem ends at once. */
const threadEnd = sql`CASE WHEN problem_id IS NULL THEN started_at ELSE resolved_at END`;

/**
 * Deletes dead letters that are older than this many days, threads without messages that ended before that, and the leases
 * of addresses without a message for a day.
 */
export async function deleteOld(knex: Knex, days: number): Promise<void> {
  await query(knex)`DELETE FROM notifications WHERE dead_since < now() - make_interval(hours => 24 * ${days}::int)`;
  await query(knex)`
    DELETE FROM notification_threads WHERE (subject, destination, address) IN (
      SELECT subject, destination, address FROM notification_threads AS old
      WHERE ${threadEnd} < now() - make_interval(hours => 24 * ${days}::int) AND NOT EXISTS (
        SELECT FROM notifications AS kept
        WHERE (kept.subject, kept.destination, kept.address) = (old.subject, old.destination, old.address)
      )
      LIMIT ${maxDeletedThreads}::int
      FOR UPDATE SKIP LOCKED
    )
  `;
  await query(knex)`DELETE FROM notification_addresses WHERE busy_until < now() - interval '24 hours'`;
}

/** The reason of what no destination of the settings takes. */
export const noDestination = "no destination has this name";

/**
 * Makes dead letters of what waits since a day for a destination that the settings of this instance do not have.
 *
 * @param destinations the names that they have
 * @returns the dead letters
 */
export async function endUndeliverable(
  knex: Knex,
  destinations: readonly string[],
): Promise<Pick<DeadLetter, "id" | "destination" | "address">[]> {
  return query(knex)`
    UPDATE notifications SET dead_since = now(), reason = ${noDestination}::text
    WHERE dead_since IS NULL AND destination <> ALL (${destinations}::text[])
      AND queued_at < now() - interval '24 hours'
    RETURNING id, destination, address
  `;
}
