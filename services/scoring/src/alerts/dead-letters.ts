import type { Knex } from "knex";
import { problemNameOf } from "../store/problems.ts";
import { namedText, type ProblemName } from "./message.ts";
import { insertAdded } from "./queue.ts";

/** The names of an alert's problem; all null for a digest. */
type MaybeProblem = ProblemName | { readonly [Name in keyof ProblemName]: null };

/** An alert that is not tried again: all tries failed, or the chat service refused it. */
export type DeadLetter = MaybeProblem & {
  readonly id: string;
  readonly dead_since: Date;
  readonly channel: string;
  readonly reason: string;
  readonly text: string;
};

/** All dead letters, the oldest first. */
export async function listDeadLetters(alerts: Knex): Promise<DeadLetter[]> {
  const { rows } = await alerts.raw(`
    SELECT id, dead_since, channel, ${problemNameOf("alerts")} AS problem, reason, text
    FROM alerts
    WHERE dead_since IS NOT NULL
    ORDER BY dead_since, id
  `);
  return rows.map(({ problem, text, ...alert }: { problem: ProblemName | null; text: string }) => ({
    ...alert,
    ...(problem ?? { area: null, team: null, app: null, env: null, problem_type: null }),
    text: namedText(text, problem),
  }));
}

/**
 * Puts a dead letter back into the queue, with no try counted. If its problem has been resolved since, the alert is deleted,
 * because it would look like an open problem; it is kept while the message about the resolution still waits.
 *
 * @returns `waits` or `deleted`; undefined if the id is of no dead letter, as after another caller put it back
 */
export async function putBack(alerts: Knex, id: string): Promise<"waits" | "deleted" | undefined> {
  const { rows } = await alerts.raw(
    `
    WITH dead AS (
      DELETE FROM alerts
      WHERE id = ?::uuid AND dead_since IS NOT NULL
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

/** How many threads are deleted at once; the limit keeps alerts from waiting for the deletion. */
const maxDeletedThreads = 5_000;

/** SQL of the time at which a thread ended; null while its problem is open. The thread of a digest ends at once. */
const threadEnd = "CASE WHEN thread LIKE 'digest@%' THEN started_at ELSE resolved_at END";

/**
 * Deletes dead letters that are older than this many days, threads without messages that ended before that, and the leases
 * of channels without a message for a day.
 */
export async function deleteOld(alerts: Knex, days: number): Promise<void> {
  await alerts.raw("DELETE FROM alerts WHERE dead_since < now() - make_interval(hours => 24 * ?::int)", [days]);
  await alerts.raw(
    `
    DELETE FROM alert_threads WHERE (thread, channel) IN (
      SELECT thread, channel FROM alert_threads AS old
      WHERE ${threadEnd} < now() - make_interval(hours => 24 * ?::int) AND NOT EXISTS (
        SELECT FROM alerts WHERE (alerts.thread, alerts.channel) = (old.thread, old.channel)
      )
      LIMIT ${maxDeletedThreads}
      FOR UPDATE SKIP LOCKED
    )
    `,
    [days],
  );
  await alerts.raw("DELETE FROM alert_channels WHERE busy_until < now() - interval '24 hours'");
}
