import type { Knex } from "knex";
import type { Subtree } from "../../model/app-name.ts";

/**
 * Keeps new rows off these names until the transaction ends, by the locks that the triggers of inserts wait for. Rows that
 * are there can be reported meanwhile. Deeds run one after the other, and none while a day is recorded or rows are
 * imported: these write names down that they have read before.
 */
export async function lockNames(trx: Knex, names: readonly Subtree[]): Promise<void> {
  await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
  const wanted = names.map(({ area, team = "" }) => ({ area, team }));
  await trx.raw(
    `
    SELECT pg_advisory_xact_lock(1835103329, lock)
    FROM (
      SELECT DISTINCT lock_of_name(area, team) AS lock
      FROM json_to_recordset(?::json) AS names (area text, team text)
      ORDER BY lock
    ) AS locks
    `,
    [JSON.stringify(wanted)],
  );
}
