import type { Knex } from "knex";
import { forgetUnannounced, isOfThread, threadValues } from "../store/alert-threads.ts";
import { isProblemWaived } from "../store/waivers.ts";

/** SQL that says whether an alert must not be sent: its problem is waived. A message about a resolution is always sent. */
export const mustNotBeSent = (alert: string): string => `(${alert}.findings > 0 AND EXISTS (
  SELECT FROM problems_by_name AS problem WHERE problem.id = ${alert}.problem_id AND ${isProblemWaived("problem")}
))`;

/** Says whether the problem with this id is waived now. */
export async function isWaived(knex: Knex, problem: string): Promise<boolean> {
  const { rows } = await knex.raw(
    `SELECT EXISTS (
       SELECT FROM problems_by_name AS problem WHERE id = ?::bigint AND ${isProblemWaived("problem")}
     ) AS waived`,
    [problem],
  );
  return rows[0].waived;
}

/** SQL condition of the waiting alerts of waived problems, except in a channel that an instance has a lease of. */
const isDroppable = `
  dead_since IS NULL AND ${mustNotBeSent("alerts")}
  AND channel NOT IN (SELECT channel FROM alert_channels WHERE busy_until > now())
`;

/**
 * Deletes the waiting alerts of problems that are waived by now. After the waiver's end, the next report queues a new alert.
 * A thread without a sent message is deleted too, so that no message about its resolution follows.
 */
export async function dropWaived(alerts: Knex): Promise<void> {
  const { rows: waiting } = await alerts.raw(`SELECT EXISTS (SELECT FROM alerts WHERE ${isDroppable}) AS found`);
  if (!waiting[0].found) return;
  await alerts.transaction(async (trx) => {
    // The thread is locked before the alert, as in every transaction.
    const { rows } = await trx.raw(`
      SELECT thread, channel FROM alert_threads
      WHERE (thread, channel) IN (SELECT thread, channel FROM alerts WHERE ${isDroppable})
      FOR UPDATE SKIP LOCKED
    `);
    await trx.raw(
      `DELETE FROM alerts WHERE id IN (SELECT id FROM alerts WHERE ${isOfThread} AND ${isDroppable} FOR UPDATE SKIP LOCKED)`,
      threadValues(rows),
    );
    await forgetUnannounced(trx, rows);
  });
}
