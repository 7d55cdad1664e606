import type { Knex } from "knex";
import sql, { raw, type Sql } from "sql-template-tag";
import { forgetUnannounced, isOfThread } from "../store/notification-threads.ts";
import { query } from "../store/sql.ts";
import { isProblemWaived } from "../store/waivers.ts";

/** SQL of the problem with an id, if it is held or waived now. */
const silenced = (id: Sql) => sql`
  SELECT held_since IS NOT NULL AS is_held FROM (
    SELECT application_id, area, team, env, problem_type, held_since
    FROM problems JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id
    WHERE problems.id = ${id}
  ) AS problem
  WHERE held_since IS NOT NULL OR ${raw(isProblemWaived("problem"))}`;

/**
 * SQL that says whether a notification must not be sent: its problem is waived, or nobody registered its application, which
 * is held. A resolution is always announced.
 */
export const mustNotBeSent = (row: string): Sql =>
  sql`(${raw(row)}.type <> 'problem.resolved' AND EXISTS (${silenced(raw(`${row}.problem_id`))}))`;

/** Says what keeps the problem with this id from being announced now, if anything does. */
export async function silenceOf(knex: Knex, problem: string): Promise<"held" | "waived" | undefined> {
  const [silence] = await query(knex)`${silenced(sql`${problem}::bigint`)}`;
  return silence && (silence.is_held ? "held" : "waived");
}

/** SQL condition of what waits about problems that are held or waived, except at an address that an instance has a lease of. */
const isDroppable = sql`
  dead_since IS NULL AND ${mustNotBeSent("notifications")}
  AND (destination, address) NOT IN (SELECT destination, address FROM notification_addresses WHERE busy_until > now())
`;

/**
 * Deletes notifications that wait about problems that are held or waived by now. After the end of the waiver, and once the
 * application is registered, the next submission is announced again. A thread without a sent message is deleted too, so that
 * no message about its resolution follows.
 */
export async function dropSilenced(knex: Knex): Promise<void> {
  const [waiting] = await query(knex)`SELECT EXISTS (SELECT FROM notifications WHERE ${isDroppable}) AS found`;
  if (!waiting.found) return;
  await knex.transaction(async (trx) => {
    // The thread is locked before the notification, as in every transaction.
    const threads = await query(trx)`
      SELECT subject, destination, address FROM notification_threads
      WHERE (subject, destination, address) IN (
        SELECT subject, destination, address FROM notifications WHERE ${isDroppable}
      )
      FOR UPDATE SKIP LOCKED
    `;
    await query(trx)`
      DELETE FROM notifications WHERE id IN (
        SELECT id FROM notifications WHERE ${isOfThread(threads)} AND ${isDroppable} FOR UPDATE SKIP LOCKED
      )
    `;
    await forgetUnannounced(trx, threads);
  });
}
