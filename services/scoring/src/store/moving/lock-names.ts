import type { Knex } from "knex";

/**
 * Keeps everybody from making an application or a target until the transaction ends, by the table lock that all who make
 * some take before they read names. So a report of a new name below a team that moves either sees the whole move, or the
 * move sees its application. What is known can be reported meanwhile. Actions run one after the other, and none while a day
 * is recorded or rows are imported: these write names down that they have read before.
 */
export async function lockNames(trx: Knex): Promise<void> {
  await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
  await trx.raw("LOCK TABLE applications IN SHARE ROW EXCLUSIVE MODE");
}
