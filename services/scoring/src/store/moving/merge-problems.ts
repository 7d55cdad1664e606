import type { Knex } from "knex";
import { maxOpenings, pastOpening } from "../problems.ts";
import { measuredAt } from "../score-changes.ts";

const isNewer = `(${measuredAt("one")}, one.reported_at) > (${measuredAt("two")}, two.reported_at)`;

/** The columns of `problems` that a result sets, but for what follows from the results before. */
export const resultColumns = ["severity", "count", "details", "chat_channel", "reported_at", "measured_at"] as const;

/**
 * Moves the problems of the merged targets (the temporary table `merging`) to those that stay. Where both have the same
 * problem, the newer result counts. If both are open, the problem stays that was opened first, else the one with the newer
 * result; the thread of the other ends without a message. The past openings of both are kept. If the newer result found its
 * problem resolved, so is the other, at that time.
 */
export async function mergeProblems(trx: Knex): Promise<void> {
  await trx.raw(`
    SELECT FROM problems WHERE target_id IN (SELECT id FROM merging UNION SELECT staying_id FROM merging)
    ORDER BY id
    FOR UPDATE
  `);
  await trx.raw(`
    CREATE TEMP TABLE merging_problems ON COMMIT DROP AS
    SELECT CASE stays WHEN one.id THEN two.id ELSE one.id END AS leaves, stays, newer
    FROM merging
      JOIN problems AS one ON one.target_id = merging.id
      JOIN problems AS two ON (two.target_id, two.problem_type) = (staying_id, one.problem_type)
      CROSS JOIN LATERAL (SELECT CASE WHEN ${isNewer} THEN one.id ELSE two.id END AS newer) AS result
      CROSS JOIN LATERAL (
        SELECT CASE WHEN one.opened_at < two.opened_at THEN one.id WHEN two.opened_at < one.opened_at THEN two.id ELSE newer END AS stays
      ) AS opening
  `);
  // Every transaction locks threads before their messages.
  await trx.raw(`
    UPDATE notification_threads SET problem_id = stays, resolved_at = coalesce(resolved_at, now())
    FROM merging_problems WHERE problem_id = leaves
  `);
  await trx.raw("DELETE FROM notifications USING merging_problems WHERE problem_id = leaves AND dead_since IS NULL");
  await trx.raw("UPDATE notifications SET problem_id = stays FROM merging_problems WHERE problem_id = leaves");
  await trx.raw(`
    UPDATE problems AS kept
    SET ${resultColumns.map((column) => `${column} = result.${column}`).join(", ")}, past_openings = (
      SELECT jsonb_agg(opening ORDER BY opening ->> 'resolved_at')
      FROM (
        SELECT opening
        FROM jsonb_array_elements(
          coalesce(gone.past_openings, '[]') || coalesce(kept.past_openings, '[]')
          || CASE WHEN kept.opened_at IS NULL AND gone.opened_at IS NOT NULL THEN ${pastOpening("gone", measuredAt("kept"))}
            ELSE '[]' END
        ) AS opening
        ORDER BY opening ->> 'resolved_at' DESC
        LIMIT ${maxOpenings}
      ) AS latest
    )
    FROM merging_problems JOIN problems AS gone ON gone.id = leaves JOIN problems AS result ON result.id = newer
    WHERE kept.id = stays
  `);
  await trx.raw("DELETE FROM problems USING merging_problems WHERE problems.id = leaves");
  await trx.raw("UPDATE problems SET target_id = staying_id FROM merging WHERE target_id = merging.id");
}
