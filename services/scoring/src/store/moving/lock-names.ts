import type { Knex } from "knex";

/**
 * Prevents new applications and targets until the transaction ends, by the table lock that their creation takes before
 * it reads names. So a submission of a new name below a moving team sees the whole move, or the move sees its application.
 * Known targets can be reported meanwhile. Admin transactions run one after the other, and never while a day is
 * recorded or rows are imported, since both write names that they have read before.
 */
export async function lockNames(trx: Knex): Promise<void> {
  await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
  await trx.raw("LOCK TABLE applications IN SHARE ROW EXCLUSIVE MODE");
}
