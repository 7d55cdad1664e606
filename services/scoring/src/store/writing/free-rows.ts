import type { Knex } from "knex";
import type { FindFree } from "./waiting-room.ts";

/**
 * Makes a function that finds out which rows of a table with the key (area, key) are not locked. It does not wait for
 * locks.
 */
export function createFindFree(knex: Knex, table: "scores" | "problems"): FindFree {
  const statement = `
    WITH asked AS (
      SELECT id, substr(id, 1, length(id) - 66) COLLATE "C" AS area, right(id, 66)::bytea AS key
      FROM json_array_elements_text(?::json) AS ids (id)
    ),
    free AS (
      SELECT area, key FROM ${table} WHERE (area, key) IN (SELECT area, key FROM asked) FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT asked.id, free.key IS NOT NULL AS is_free
    FROM asked JOIN ${table} USING (area, key) LEFT JOIN free USING (area, key)
  `;
  return async (ids) => {
    const { rows } = await knex.raw(statement, [JSON.stringify(ids)]);
    return new Map(rows.map(({ id, is_free }: { id: string; is_free: boolean }) => [id, is_free]));
  };
}
