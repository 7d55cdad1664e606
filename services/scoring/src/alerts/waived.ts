import type { Knex } from "knex";
import { forgetUntold, isOfThread, threadValues } from "../store/alert-threads.ts";
import { isProblemWaived } from "../store/waivers.ts";

/** SQL that says whether an alert must not be sent. That a problem is resolved is told to those who heard of it. */
export const mustNotBeSent = (alert: string): string => `(${alert}.findings > 0 AND EXISTS (
  SELECT FROM problems_by_name AS problem WHERE problem.id = ${alert}.problem_id AND ${isProblemWaived("problem")}
))`;

/** Is the problem with this id waived at this moment? */
export async function isWaived(knex: Knex, problem: string): Promise<boolean> {
  const { rows } = await knex.raw(
    `SELECT EXISTS (
       SELECT FROM problems_by_name AS problem WHERE id = ?::bigint AND ${isProblemWaived("problem")}
     ) AS waived`,
    [problem],
  );
  return rows[0].waived;
}

/** The waiting alerts of waived problems, but for those in a channel whose lease somebody has at this moment. */
const dropped = `
  dead_since IS NULL AND ${mustNotBeSent("alerts")}
  AND channel NOT IN (SELECT channel FROM alert_channels WHERE busy_until > now())
`;

/**
 * Deletes the waiting alerts of problems that are waived by now. When the waiver ends, the next report makes another one.
 * A thread of which nobody has heard is forgotten, so that nobody is told of its end either.
 */
export async function dropWaived(alerts: Knex): Promise<void> {
  const { rows: waiting } = await alerts.raw(`SELECT EXISTS (SELECT FROM alerts WHERE ${dropped}) AS some`);
  if (!waiting[0].some) return;
  await alerts.transaction(async (trx) => {
    // The thread is locked before the alert, as everywhere.
    const { rows } = await trx.raw(`
      SELECT thread, channel FROM alert_threads
      WHERE (thread, channel) IN (SELECT thread, channel FROM alerts WHERE ${dropped})
      FOR UPDATE SKIP LOCKED
    `);
    await trx.raw(
      `DELETE FROM alerts WHERE id IN (SELECT id FROM alerts WHERE ${isOfThread} AND ${dropped} FOR UPDATE SKIP LOCKED)`,
      threadValues(rows),
    );
    await forgetUntold(trx, rows);
  });
}
