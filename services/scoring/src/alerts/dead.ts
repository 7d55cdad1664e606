import type { Target } from "@maturity/core";
import type { Knex } from "knex";

/** An alert that was given up after its last try, or because the chat service refused it for good. */
export interface DeadAlert extends Target {
  readonly id: string;
  /** When it was given up. */
  readonly at: Date;
  readonly channel: string;
  readonly problem_type: string;
  readonly reason: string;
  readonly text: string;
}

/** All alerts that were given up and not put back, the oldest first. */
export async function listDead(knex: Knex): Promise<DeadAlert[]> {
  const { rows } = await knex.raw(`
    SELECT id, given_up_at AS at, channel, area, team, app, env, problem_type, reason, text
    FROM alerts
    WHERE given_up_at IS NOT NULL
    ORDER BY given_up_at, id
  `);
  return rows;
}

/**
 * Puts a given-up alert back into the queue, with its tries counted anew. If another alert of the same thread is queued
 * already, the two become one, with the text of the later report. If the problem was resolved in the meantime the alert
 * is deleted, because it would look like an open problem; it is kept only while the message about the resolution is
 * still to be sent.
 *
 * @returns what became of the alert; undefined if it is not among the given-up ones. Of several callers at once, one
 * gets an answer.
 */
export async function revive(knex: Knex, id: string): Promise<"waits" | "deleted" | undefined> {
  const { rows } = await knex.raw(
    `
    WITH dead AS (DELETE FROM alerts WHERE id = ?::uuid AND given_up_at IS NOT NULL RETURNING *),
    revived AS (
      INSERT INTO alerts AS waiting
        (id, thread, channel, opening, severity, area, team, app, env, problem_type, text, findings, reports, queued_at,
         reported_at)
      SELECT id, thread, channel, opening, severity, area, team, app, env, problem_type, text, findings, reports,
        queued_at, reported_at
      FROM dead
      WHERE findings = 0
        OR NOT EXISTS (
          SELECT FROM alert_threads AS told
          WHERE told.thread = dead.thread AND told.channel = dead.channel AND resolved_at IS NOT NULL
        )
        OR EXISTS (
          SELECT FROM alerts AS ending
          WHERE ending.thread = dead.thread AND ending.channel = dead.channel AND ending.findings = 0
        )
      ON CONFLICT (thread, channel, opening) WHERE given_up_at IS NULL DO UPDATE SET
        (severity, text, findings, reported_at) = (
          SELECT severity, text, findings, reported_at
          FROM (VALUES
            (waiting.severity, waiting.text, waiting.findings, waiting.reported_at),
            (excluded.severity, excluded.text, excluded.findings, excluded.reported_at)
          ) AS both_reports (severity, text, findings, reported_at)
          ORDER BY reported_at DESC
          LIMIT 1
        ),
        reports = waiting.reports + excluded.reports
      RETURNING id
    )
    SELECT EXISTS (SELECT FROM revived) AS waits FROM dead
    `,
    [id],
  );
  const [dead] = rows;
  return dead && (dead.waits ? "waits" : "deleted");
}

/**
 * Deletes alerts that were given up more than this many days ago, and the entries of channels that have had no message
 * for a day.
 */
export async function forgetOld(knex: Knex, days: number): Promise<void> {
  await knex.raw("DELETE FROM alerts WHERE given_up_at < now() - make_interval(days => ?::int)", [days]);
  await knex.raw("DELETE FROM alert_channels WHERE busy_until < now() - interval '1 day'");
}
