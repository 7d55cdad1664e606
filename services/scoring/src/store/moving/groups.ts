import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import type { Subtree } from "../../model/app-name.ts";
import { inSubtree } from "../conditions.ts";
import { query } from "../sql.ts";
import { moveCampaigns } from "./campaigns.ts";

/** Renames what is stored by the names of a team or an area, and makes the former name lead to the new one. */
export async function moveGroup(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await moveDays(trx, from, to);
  await moveWaivers(trx, from, to);
  await moveCampaigns(trx, from, to);
  await moveFormerGroups(trx, from, to);
}

/** Renames recorded days. Where both have a day, that of the target stays: a recorded average is not computed anew. */
async function moveDays(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await query(trx)`
    CREATE TEMP TABLE moving_days ON COMMIT DROP AS
    SELECT one.id, one.to_area, one.to_team, staying.id AS staying_id
    FROM (
      SELECT id, ${to.area}::text AS to_area,
        CASE WHEN team IS NOT NULL THEN coalesce(${to.team}::text, team) END AS to_team, env
      FROM roll_up_targets
      WHERE target_id IS NULL AND ${inSubtree(from)}
    ) AS one LEFT JOIN roll_up_targets AS staying
      ON staying.target_id IS NULL AND staying.area = to_area AND coalesce(staying.team, '') = coalesce(to_team, '') AND staying.env = one.env
  `;
  await joinDays(trx, "moving_days");
  await trx.raw(`
    UPDATE roll_up_targets SET area = to_area, team = to_team FROM moving_days
    WHERE roll_up_targets.id = moving_days.id AND staying_id IS NULL
  `);
}

/**
 * Moves the days that the other target lacks to it, and deletes the first target. @param pairs a table of `id` and
 * `staying_id`
 */
export async function joinDays(trx: Knex, pairs: string): Promise<void> {
  await trx.raw(`
    UPDATE roll_up_days AS one SET target_id = staying_id FROM ${pairs} AS pair
    WHERE one.target_id = pair.id AND staying_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM roll_up_days AS same WHERE (same.target_id, same.day) = (staying_id, one.day)
    )
  `);
  await trx.raw(`DELETE FROM roll_up_days USING ${pairs} AS pair WHERE target_id = pair.id AND staying_id IS NOT NULL`);
  await trx.raw(
    `DELETE FROM roll_up_targets USING ${pairs} AS pair WHERE roll_up_targets.id = pair.id AND staying_id IS NOT NULL`,
  );
}

/** Gives waivers of a team or an area that moves its new names. */
async function moveWaivers(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await query(trx)`
    UPDATE waivers
    SET area = ${to.area}::text, team = CASE WHEN team IS NOT NULL THEN coalesce(${to.team}::text, team) END
    WHERE ${inSubtree(from)}
  `;
}

/**
 * Points former groups of what moves to its new name, so that chains stay short. If a team moves whose area had other
 * names, each former name of the team leads to it too, because a former name of the area may lead elsewhere later, or
 * be given back. A name of another team that had left the area before stays with that team.
 */
async function moveFormerGroups(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await query(trx)`
    UPDATE former_groups
    SET to_area = ${to.area}::text,
      to_team = CASE WHEN to_team <> '' THEN coalesce(${to.team}::text, to_team) ELSE '' END
    WHERE ${inSubtree(from, "to_")}
  `;
  await trx.raw("DELETE FROM former_groups WHERE (area, team) = (to_area, to_team)");
  await query(trx)`
    INSERT INTO former_groups (area, team, to_area, to_team)
    SELECT area, team, ${to.area}::text, ${to.team ?? ""}::text
    FROM (SELECT ${from.area}::text AS area, ${from.team ?? ""}::text AS team UNION ${formerNames(from)}) AS former
    ON CONFLICT (area, team) DO NOTHING
  `;
}

/**
 * Keeps the former names that an application had through its team or area, when it leaves them.
 *
 * The temporary table `moving` has the applications that move; `staying_id` is the application that has the new name already.
 */
export async function keepFormerNames(trx: Knex, from: Subtree): Promise<void> {
  await query(trx)`
    INSERT INTO names (area, team, app, application_id)
    SELECT former.area, former.team, moving.app, coalesce(staying_id, moving.id)
    FROM moving, (
      SELECT area, team FROM former_groups WHERE (to_area, to_team) = (${from.area}::text, ${from.team ?? ""}::text)
      UNION ${formerNames(from)}
    ) AS former
    ON CONFLICT (area, team, app) DO NOTHING
  `;
}

/** A SELECT of the names that a team had through former names of its area. */
function formerNames({ area, team = "" }: Subtree): Sql {
  return sql`
    SELECT area, ${team}::text FROM former_groups AS whole
    WHERE (to_area, to_team) = (${area}::text, '') AND ${team}::text <> '' AND NOT EXISTS (
      SELECT FROM former_groups AS nearer WHERE (nearer.area, nearer.team) = (whole.area, ${team}::text)
    )
  `;
}
