import type { Knex } from "knex";
import type { Subtree } from "../../model/app-name.ts";
import { keySql } from "../made-columns.ts";
import { within } from "./plan.ts";
import { moveProblems } from "./problems.ts";
import { moveScores } from "./scores.ts";

/**
 * Gives the applications of the temporary table `moving` their new names, in everything that is stored, and leaves an
 * alias. Their names must be locked.
 *
 * @param hasHistory as in `ScoreTerms`
 */
export async function moveNames(trx: Knex, from: Subtree, to: Subtree, hasHistory: boolean): Promise<void> {
  await moveScores(trx, hasHistory);
  await moveProblems(trx);
  await moveDays(trx, from, to);
  await moveRegistry(trx);
  await moveWaivers(trx, from, to);
  await moveAliases(trx, from, to);
}

/** Of a day that both have, that of the target stays: what an average was on a day is not made anew. */
async function moveDays(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  const { sql, values } = within(from);
  await trx.raw(`
    CREATE TEMP TABLE moving_targets (
      id integer, to_area text COLLATE "C", to_team text COLLATE "C", to_app text COLLATE "C", env text, to_key bytea
    ) ON COMMIT DROP
  `);
  await trx.raw(
    `
    INSERT INTO moving_targets (id, to_area, to_team, to_app, env)
    SELECT id, ?::text, CASE WHEN team IS NOT NULL THEN coalesce(?::text, team) END,
      CASE WHEN app IS NOT NULL THEN coalesce(?::text, app) END, env
    FROM roll_up_targets
    WHERE ${sql}
    `,
    [to.area, to.team ?? null, to.app ?? null, ...values],
  );
  await trx.raw(`
    UPDATE moving_targets SET to_key = CASE
      WHEN to_team IS NULL THEN ${keySql(["env"])}
      WHEN to_app IS NULL THEN ${keySql(["to_team", "env"])}
      ELSE ${keySql(["to_team", "to_app", "env"])}
    END
  `);
  await trx.raw(`
    UPDATE roll_up_days AS day SET target_id = known.id
    FROM moving_targets JOIN roll_up_targets AS known ON (known.area, known.key) = (to_area, to_key)
    WHERE day.target_id = moving_targets.id AND NOT EXISTS (
      SELECT FROM roll_up_days AS other WHERE other.target_id = known.id AND other.day = day.day
    )
  `);
  const merged = `SELECT moving_targets.id FROM moving_targets JOIN roll_up_targets AS known
    ON (known.area, known.key) = (to_area, to_key)`;
  await trx.raw(`DELETE FROM roll_up_days WHERE target_id IN (${merged})`);
  await trx.raw(`DELETE FROM roll_up_targets WHERE id IN (${merged})`);
  await trx.raw(`
    UPDATE roll_up_targets AS target SET area = to_area, team = to_team, app = to_app, key = to_key
    FROM moving_targets
    WHERE target.id = moving_targets.id
  `);
}

/** Of two entries that of the target stays. */
async function moveRegistry(trx: Knex): Promise<void> {
  await trx.raw(`
    DELETE FROM apps USING moving
    WHERE (apps.area, apps.team, apps.app) = (moving.area, moving.team, moving.app) AND EXISTS (
      SELECT FROM apps AS other WHERE (other.area, other.team, other.app) = (to_area, to_team, to_app)
    )
  `);
  for (const table of ["apps", "retired_apps"]) {
    await trx.raw(`
      UPDATE ${table} AS one SET area = to_area, team = to_team, app = to_app
      FROM moving
      WHERE (one.area, one.team, one.app) = (moving.area, moving.team, moving.app)
    `);
  }
}

async function moveWaivers(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  const { sql, values } = within(from);
  await trx.raw(
    `UPDATE waivers SET area = ?::text, team = CASE WHEN team IS NOT NULL THEN coalesce(?::text, team) END,
       app = CASE WHEN app IS NOT NULL THEN coalesce(?::text, app) END
     WHERE ${sql}`,
    [to.area, to.team ?? null, to.app ?? null, ...values],
  );
}

/**
 * Aliases that lead to what moves lead to its new name, so that none leads to another one. Where a part of a team or an
 * area moves that was called otherwise once, each such name gets an alias of this part too: that of the whole may lead
 * elsewhere later, or be given back. But where a team had left the area before, its name leads to that team.
 */
async function moveAliases(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  const { sql, values } = within(from, "to_");
  await trx.raw(
    `UPDATE app_aliases SET to_area = ?::text,
       to_team = CASE WHEN to_team <> '' THEN coalesce(?::text, to_team) ELSE '' END,
       to_app = CASE WHEN to_app <> '' THEN coalesce(?::text, to_app) ELSE '' END
     WHERE ${sql}`,
    [to.area, to.team ?? null, to.app ?? null, ...values],
  );
  await trx.raw("DELETE FROM app_aliases WHERE (area, team, app) = (to_area, to_team, to_app)");
  const { area, team = "", app = "" } = from;
  await trx.raw(
    `INSERT INTO app_aliases (area, team, app, to_area, to_team, to_app)
     SELECT former.*, ?::text, ?::text, ?::text
     FROM (
       SELECT ?::text, ?::text, ?::text
       UNION
       SELECT area, CASE WHEN team = '' THEN ?::text ELSE team END, ?::text
       FROM app_aliases AS whole
       WHERE to_area = ?::text AND (to_team = '' AND ?::text <> '' OR to_team = ?::text AND to_app = '' AND ?::text <> '')
         AND NOT EXISTS (
           SELECT FROM app_aliases AS nearer
           WHERE whole.team = '' AND (nearer.area, nearer.team, nearer.app) = (whole.area, ?::text, '')
         )
     ) AS former
     ON CONFLICT (area, team, app) DO NOTHING`,
    [to.area, to.team ?? "", to.app ?? "", area, team, app, team, app, area, team, team, app, team],
  );
}
