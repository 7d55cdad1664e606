import type { Knex } from "knex";
import { keySql, labelsSql } from "../made-columns.ts";
import { identitySql } from "../problems.ts";

const key = keySql(["to_team", "to_app", "env", "problem_type"]);

const labels = labelsSql({
  area: "moving.to_area",
  team: "moving.to_team",
  app: "moving.to_app",
  env: "one.env",
  problem_type: "one.problem_type",
  severity: "one.severity",
});

/**
 * Renames the problems of the temporary table `moving`, the retired ones too. Each keeps its identity, so its alerts stay
 * in their thread. Where the target has the same problem, the newer report of the two counts, and the thread of the other
 * one ends without a word.
 */
export async function moveProblems(trx: Knex): Promise<void> {
  await trx.raw("SELECT FROM problems JOIN moving USING (area, team, app) ORDER BY area, key FOR UPDATE OF problems");
  await trx.raw(`
    SELECT FROM problems JOIN moving ON (problems.area, problems.team, problems.app) = (to_area, to_team, to_app)
    ORDER BY problems.area, key
    FOR UPDATE OF problems
  `);
  const { rows }: { rows: { identity: string }[] } = await trx.raw(`
    WITH pairs AS (
      SELECT one.area AS from_area, one.key AS from_key, other.area AS to_area, other.key AS to_key,
        one.reported_at > other.reported_at AS is_newer
      FROM (SELECT problems.*, to_area, ${key} AS to_key FROM problems JOIN moving USING (area, team, app)) AS one
      JOIN problems AS other ON (other.area, other.key) = (one.to_area, one.to_key)
    )
    DELETE FROM problems AS older USING pairs
    WHERE (older.area, older.key) = (
      CASE WHEN is_newer THEN to_area ELSE from_area END, CASE WHEN is_newer THEN to_key ELSE from_key END
    )
    RETURNING ${identitySql("older")} AS identity
  `);
  if (rows.length > 0) {
    const ended = rows.map(({ identity }) => identity);
    await trx.raw(
      `UPDATE alert_threads SET resolved_at = now()
       WHERE split_part(thread, '@', 1) = ANY (?::text[]) AND resolved_at IS NULL`,
      [ended],
    );
    await trx.raw("DELETE FROM alerts WHERE split_part(thread, '@', 1) = ANY (?::text[]) AND given_up_at IS NULL", [
      ended,
    ]);
  }
  for (const table of ["problems", "retired_problems"]) {
    await trx.raw(`
      UPDATE ${table} AS one
      SET area = to_area, team = to_team, app = to_app, key = ${key}, labels = ${labels},
        identity = ${identitySql("one")}
      FROM moving
      WHERE (one.area, one.team, one.app) = (moving.area, moving.team, moving.app)
    `);
  }
}
