import type { Knex } from "knex";
import { chainChanges, insertChanges, measuredAt } from "../score-changes.ts";

/**
 * Moves the scores of the merged targets (the temporary table `merging`) to those that stay. Where both have the same
 * metric, the newer report counts, and their histories become one.
 */
export async function mergeScores(trx: Knex, hasHistory: boolean): Promise<void> {
  await trx.raw(`
    SELECT FROM scores WHERE target_id IN (SELECT id FROM merging UNION SELECT other FROM merging)
    ORDER BY target_id, metric_id
    FOR UPDATE
  `);
  await trx.raw(`
    CREATE TEMP TABLE merging_scores ON COMMIT DROP AS
    SELECT one.target_id AS from_id, two.target_id, metric_id, two.score AS to_score, two.scorer AS to_scorer,
      (${measuredAt("one")}, one.reported_at) > (${measuredAt("two")}, two.reported_at) AS is_newer
    FROM merging
      JOIN scores AS one ON one.target_id = merging.id
      JOIN scores AS two USING (metric_id)
    WHERE two.target_id = other
  `);
  await trx.raw("ANALYZE merging_scores");
  await trx.raw(`
    DELETE FROM score_changes AS one USING merging
    WHERE one.target_id = merging.id AND EXISTS (
      SELECT FROM score_changes AS two WHERE (two.target_id, two.metric_id, two.at) = (other, one.metric_id, one.at)
    )
  `);
  await trx.raw("UPDATE score_changes SET target_id = other FROM merging WHERE target_id = merging.id");
  await chainChanges(trx, "SELECT target_id, metric_id FROM merging_scores");
  await trx.raw(`
    DELETE FROM scores USING merging_scores AS pair
    WHERE (scores.target_id, scores.metric_id) = (CASE WHEN is_newer THEN pair.target_id ELSE from_id END, pair.metric_id)
  `);
  await trx.raw("UPDATE scores SET target_id = other FROM merging WHERE target_id = merging.id");
  await endLines(trx, hasHistory);
}

/**
 * Ends each history with the score that stays: its last change is copied to the score, or, if that has another value, a
 * change by the merge is added.
 */
async function endLines(trx: Knex, hasHistory: boolean): Promise<void> {
  const isChanged = "(before, scorer_before) <> (target.score, target.scorer)";
  await trx.raw(
    `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
    line AS (
      SELECT DISTINCT ON (target_id, metric_id) target_id, metric_id, at, score_changes.former_at, former, score, scorer, cause
      FROM score_changes JOIN merging_scores USING (target_id, metric_id)
      ORDER BY target_id, metric_id, at DESC
    ),
    known AS (
      SELECT target_id, metric_id, at, former_at, former, cause, coalesce(score, to_score) AS before,
        coalesce(scorer, to_scorer) AS scorer_before, greatest(now, at + interval '1 microsecond') AS moved_at
      FROM moment, merging_scores LEFT JOIN line USING (target_id, metric_id)
    ),
    stored AS (
      UPDATE scores AS target
      SET
        changed_at = CASE WHEN ${isChanged} THEN moved_at ELSE coalesce(at, target.changed_at) END,
        former_score = CASE WHEN ${isChanged} THEN before WHEN at IS NULL THEN target.former_score ELSE former END,
        former_at = CASE WHEN ${isChanged} THEN ${measuredAt("target")} WHEN at IS NULL THEN target.former_at ELSE known.former_at END,
        changed_by = CASE WHEN ${isChanged} THEN 'move' ELSE coalesce(cause, target.changed_by) END
      FROM known
      WHERE (target.target_id, target.metric_id) = (known.target_id, known.metric_id)
      RETURNING target.target_id, target.metric_id, target.score, target.scorer, target.former_score, target.former_at,
        target.changed_at, target.changed_by, ${isChanged} AS is_changed
    )
    ${insertChanges}
    FROM stored
    WHERE is_changed AND ?::boolean
    `,
    [hasHistory],
  );
}
