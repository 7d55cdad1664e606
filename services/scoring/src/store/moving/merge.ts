import type { Knex } from "knex";
import { entryColumns } from "../apps.ts";
import { mergeMembers } from "./campaigns.ts";
import { joinDays } from "./groups.ts";
import { mergeProblems } from "./merge-problems.ts";
import { mergeScores } from "./merge-scores.ts";

/**
 * Merges the applications of the temporary table `moving` into those that have their new names (`staying_id`), and deletes
 * them. A concurrent submission of a deleted one is refused by its foreign key, and retried by its names.
 */
export async function mergeApplications(trx: Knex, hasHistory: boolean): Promise<void> {
  const { rows } = await trx.raw("SELECT EXISTS (SELECT FROM moving WHERE staying_id IS NOT NULL) AS merges");
  if (!rows[0].merges) return;
  await trx.raw(`
    CREATE TEMP TABLE merging ON COMMIT DROP AS
    SELECT one.id, two.id AS staying_id
    FROM moving
      JOIN targets AS one ON one.application_id = moving.id
      JOIN targets AS two ON (two.application_id, two.env) = (staying_id, one.env)
  `);
  await trx.raw("ANALYZE merging");
  // From here on no submission can add a row to these targets, since its foreign key waits. So the next locks hold all rows.
  await trx.raw(`
    SELECT FROM targets WHERE id IN (SELECT id FROM merging UNION SELECT staying_id FROM merging) ORDER BY id FOR UPDATE
  `);
  await mergeScores(trx, hasHistory);
  await mergeProblems(trx);
  await mergeDays(trx);
  await mergeMembers(trx);
  await trx.raw("DELETE FROM targets USING merging WHERE targets.id = merging.id");
  for (const table of ["targets", "waivers", "names", "notifications", "badges"]) {
    await trx.raw(
      `UPDATE ${table} SET application_id = staying_id FROM moving WHERE application_id = moving.id AND staying_id IS NOT NULL`,
    );
  }
  // The entry of the target in the registry stays.
  await trx.raw(`
    UPDATE applications AS target
    SET ${entryColumns.map((column) => `${column} = one.${column}`).join(", ")}, registered_at = one.registered_at,
      held_since = CASE WHEN one.registered_at IS NULL THEN target.held_since END
    FROM moving JOIN applications AS one USING (id)
    WHERE target.id = staying_id AND target.registered_at IS NULL
  `);
  await trx.raw("DELETE FROM applications USING moving WHERE applications.id = moving.id AND staying_id IS NOT NULL");
}

/**
 * Gives recorded days to the applications that stay, and which of them are to be written again. Where both have a day, that of
 * the application that stays wins.
 */
async function mergeDays(trx: Knex): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE merging_days ON COMMIT DROP AS
    SELECT one.id, two.id AS staying_id, merging.staying_id AS new_target
    FROM merging
      JOIN roll_up_targets AS one ON one.target_id = merging.id
      LEFT JOIN roll_up_targets AS two ON two.target_id = merging.staying_id
  `);
  await joinDays(trx, "merging_days");
  await trx.raw(`
    UPDATE roll_up_targets SET target_id = new_target FROM merging_days
    WHERE roll_up_targets.id = merging_days.id AND staying_id IS NULL
  `);
  await trx.raw(`
    INSERT INTO roll_ups_again (day, target_id)
    SELECT day, staying_id FROM roll_ups_again JOIN merging ON target_id = merging.id
    ON CONFLICT DO NOTHING
  `);
}
