import type { Knex } from "knex";

/** Runs a statement that returns one `count`. */
export async function count(trx: Knex, statement: string): Promise<number> {
  const { rows } = await trx.raw(statement);
  return rows[0].count;
}
