import type { Knex } from "knex";
import type pg from "pg";
import sql, { type RawValue } from "sql-template-tag";

/**
 * Runs a statement and returns its rows. Values become parameters, `undefined` becomes NULL, and `Sql` stays SQL:
 *
 * ```ts
 * await query(trx)`SELECT id FROM badges WHERE env = ${env}::text AND ${isCurrent}`;
 * ```
 */
export function query(
  knex: Knex,
): (parts: TemplateStringsArray, ...values: readonly RawValue[]) => Promise<pg.QueryResult["rows"]> {
  return async (parts, ...given) => {
    const statement = sql(parts, ...given);
    const values = statement.values.map((value) => (value ?? null) as Knex.Value);
    const { rows } = await knex.raw(statement.sql, values);
    return rows;
  };
}
