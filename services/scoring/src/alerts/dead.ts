import type { Knex } from "knex";
import { type Place, placedText } from "./message.ts";
import { placeOf } from "./place.ts";
import { insertAdded } from "./queue.ts";

/** The problem that a message is about. All names are null for a digest. */
type MaybePlace = Place | { readonly [Name in keyof Place]: null };

/** An alert that was given up after its last try, or because the chat service refused it for good. */
export type DeadAlert = MaybePlace & {
  readonly id: string;
  readonly given_up_at: Date;
  readonly channel: string;
  readonly reason: string;
  readonly text: string;
};

/** All alerts that were given up and not put back, the oldest first. */
export async function listDead(alerts: Knex): Promise<DeadAlert[]> {
  const { rows } = await alerts.raw(`
    SELECT id, given_up_at, channel, ${placeOf("alerts")} AS place, reason, text
    FROM alerts
    WHERE given_up_at IS NOT NULL
    ORDER BY given_up_at, id
  `);
  return rows.map(({ place, text, ...alert }: { place: Place | null; text: string }) => ({
    ...alert,
    ...(place ?? { area: null, team: null, app: null, env: null, problem_type: null }),
    text: placedText(text, place),
  }));
}

/**
 * Puts a given-up alert back into the queue, with its tries counted anew. If the problem was resolved in the meantime the
 * alert is deleted, because it would look like an open problem; it is kept only while the message about the resolution
 * is still to be sent.
 *
 * @returns what became of the alert; undefined if it is not among the given-up ones. Of several callers at once, one
 * gets an answer.
 */
export async function revive(alerts: Knex, id: string): Promise<"waits" | "deleted" | undefined> {
  const { rows } = await alerts.raw(
    `
    WITH dead AS (
      DELETE FROM alerts
      WHERE id = ?::uuid AND given_up_at IS NOT NULL
      RETURNING *
    ),
    added AS (
      SELECT dead.*
      FROM dead LEFT JOIN alert_threads USING (thread, channel)
      WHERE findings = 0 OR resolved_at IS NULL OR EXISTS (
        SELECT FROM alerts AS ending
        WHERE ending.thread = dead.thread AND ending.channel = dead.channel AND ending.findings = 0
      )
    ),
    queued AS (${insertAdded})
    SELECT EXISTS (SELECT FROM queued) AS waits FROM dead
    `,
    [id],
  );
  const [dead] = rows;
  return dead && (dead.waits ? "waits" : "deleted");
}

/** Most threads that are deleted at once, so that alerts are not kept waiting. */
const mostThreads = 5_000;

/** SQL of when a thread ended; null while its problem is open. A digest is never open. */
const threadEnd = "CASE WHEN thread LIKE 'digest@%' THEN started_at ELSE resolved_at END";

/**
 * Deletes alerts that were given up more than this many days ago, threads that ended before that and have no message left,
 * and the entries of channels that have had no message for a day.
 */
export async function forgetOld(alerts: Knex, days: number): Promise<void> {
  await alerts.raw("DELETE FROM alerts WHERE given_up_at < now() - make_interval(hours => 24 * ?::int)", [days]);
  await alerts.raw(
    `
    DELETE FROM alert_threads WHERE (thread, channel) IN (
      SELECT thread, channel FROM alert_threads AS old
      WHERE ${threadEnd} < now() - make_interval(hours => 24 * ?::int) AND NOT EXISTS (
        SELECT FROM alerts WHERE (alerts.thread, alerts.channel) = (old.thread, old.channel)
      )
      LIMIT ${mostThreads}
      FOR UPDATE SKIP LOCKED
    )
    `,
    [days],
  );
  await alerts.raw("DELETE FROM alert_channels WHERE busy_until < now() - interval '24 hours'");
}
