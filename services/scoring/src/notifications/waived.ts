import type { Knex } from "knex";
import { forgetUnannounced, isOfThread, threadValues } from "../store/notification-threads.ts";
import { isProblemWaived } from "../store/waivers.ts";

/** SQL that says whether a notification must not be sent: its problem is waived. A resolution is always announced. */
export const mustNotBeSent = (row: string): string => `(${row}.type <> 'problem.resolved' AND EXISTS (
  SELECT FROM problems_by_name AS problem WHERE problem.id = ${row}.problem_id AND ${isProblemWaived("problem")}
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

/** SQL condition of what waits about waived problems, except at an address that an instance has a lease of. */
const isDroppable = `
  dead_since IS NULL AND ${mustNotBeSent("notifications")}
  AND (destination, address) NOT IN (SELECT destination, address FROM notification_addresses WHERE busy_until > now())
`;

/**
 * Deletes what waits about problems that are waived by now. After the waiver's end, the next report is announced again. A
 * thread without a sent message is deleted too, so that no message about its resolution follows.
 */
export async function dropWaived(knex: Knex): Promise<void> {
  const { rows: waiting } = await knex.raw(`SELECT EXISTS (SELECT FROM notifications WHERE ${isDroppable}) AS found`);
  if (!waiting[0].found) return;
  await knex.transaction(async (trx) => {
    // The thread is locked before the notification, as in every transaction.
    const { rows } = await trx.raw(`
      SELECT subject, destination, address FROM notification_threads
      WHERE (subject, destination, address) IN (
        SELECT subject, destination, address FROM notifications WHERE ${isDroppable}
      )
      FOR UPDATE SKIP LOCKED
    `);
    await trx.raw(
      `DELETE FROM notifications WHERE id IN (
         SELECT id FROM notifications WHERE ${isOfThread} AND ${isDroppable} FOR UPDATE SKIP LOCKED
       )`,
      threadValues(rows),
    );
    await forgetUnannounced(trx, rows);
  });
}
