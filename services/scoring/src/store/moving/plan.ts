import type { Knex } from "knex";
import type { AppName, Subtree } from "../../model/app-name.ts";
import { inSubtree } from "../conditions.ts";
import { query } from "../sql.ts";
import { type Conflict, findConflicts, type MoveRequest, maxListed } from "./conflicts.ts";

/** The effect of a move. */
export interface Plan {
  readonly apps: number;
  /** The names of the first hundred. */
  readonly names: readonly AppName[];
  readonly scores: number;
  readonly problems: number;
  /** How many of them exist in the target too, so that only one of the two stays. */
  readonly merged: { readonly scores: number; readonly problems: number };
  /** The first hundred obstacles. A merge has none of the kind `exists`. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Creates the temporary table `moving`: every application within `from`, including retired ones, with its new name and
 * the id of the application that already has that name (`staying_id`). It lasts until the transaction ends.
 */
export async function listMoving(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE moving (
      id integer, area text COLLATE "C", team text COLLATE "C", app text COLLATE "C", is_retired boolean,
      to_area text COLLATE "C", to_team text COLLATE "C", to_app text COLLATE "C", staying_id integer
    ) ON COMMIT DROP
  `);
  await query(trx)`
    INSERT INTO moving
    SELECT one.*, staying.id
    FROM (
      SELECT id, area, team, app, retired_at IS NOT NULL,
        ${to.area}::text AS to_area, coalesce(${to.team}::text, team) AS to_team,
        coalesce(${to.app}::text, app) AS to_app
      FROM applications
      WHERE ${inSubtree(from)}
    ) AS one LEFT JOIN applications AS staying ON (staying.area, staying.team, staying.app) = (to_area, to_team, to_app)
  `;
  await trx.raw("ANALYZE moving"); // autovacuum sees no temporary tables
}

/** Computes the effect of the move of `moving`. Names outside the bounds of the grant are not shown. */
export async function planMove(trx: Knex, request: MoveRequest): Promise<Plan> {
  const stored = (table: string) =>
    `${table} JOIN targets ON targets.id = target_id JOIN moving ON moving.id = application_id`;
  const merged = (table: string, key: string) => `
    SELECT count(*)::int
    FROM ${stored(`${table} AS one`)}
      JOIN targets AS staying ON (staying.application_id, staying.env) = (staying_id, targets.env)
      JOIN ${table} AS two ON (two.target_id, two.${key}) = (staying.id, one.${key})
    WHERE targets.retired_at IS NULL AND NOT is_retired`;
  const { rows } = await trx.raw(`
    SELECT
      (SELECT count(*)::int FROM moving) AS apps,
      (SELECT count(*)::int FROM ${stored("scores")} WHERE targets.retired_at IS NULL AND NOT is_retired) AS scores,
      (SELECT count(*)::int FROM ${stored("problems")} WHERE targets.retired_at IS NULL AND NOT is_retired) AS problems,
      (${merged("scores", "metric_id")}) AS merged_scores,
      (${merged("problems", "problem_type")}) AS merged_problems
  `);
  const { apps, scores, problems, merged_scores, merged_problems } = rows[0];
  const { rows: names } = await trx.raw(
    `SELECT area, team, app FROM moving ORDER BY area, team, app LIMIT ${maxListed}`,
  );
  const conflicts = await findConflicts(trx, request);
  return { apps, names, scores, problems, merged: { scores: merged_scores, problems: merged_problems }, conflicts };
}
