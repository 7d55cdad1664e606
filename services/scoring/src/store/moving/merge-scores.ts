import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import { chainChanges, insertChanges, measuredAt } from "../score-changes.ts";
import { query } from "../sql.ts";

/**
 * Moves the scores of the merged targets (the temporary table `merging`) to those that stay. Where both have the same
 * metric, the newer result counts, and their histories become one.
 */
export async function mergeScores(trx: Knex, hasHistory: boolean): Promise<void> {
  await trx.raw(`
    SELECT FROM scores WHERE target_id IN (SELECT id FROM merging UNION SELECT staying_id FROM merging)
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
    WHERE two.target_id = staying_id
  `);
  await trx.raw("ANALYZE merging_scores");
  await keepConfirmations(trx);
  await trx.raw(`
    DELETE FROM score_changes AS one USING merging
    WHERE one.target_id = merging.id AND EXISTS (
      SELECT FROM score_changes AS two WHERE (two.target_id, two.metric_id, two.at) = (staying_id, one.metric_id, one.at)
    )
  `);
  await trx.raw("UPDATE score_changes SET target_id = staying_id FROM merging WHERE target_id = merging.id");
  await chainChanges(trx, "SELECT target_id, metric_id FROM merging_scores");
  await restoreConfirmations(trx);
  await trx.raw(`
    DELETE FROM scores USING merging_scores AS pair
    WHERE (scores.target_id, scores.metric_id) = (CASE WHEN is_newer THEN pair.target_id ELSE from_id END, pair.metric_id)
  `);
  await trx.raw("UPDATE scores SET target_id = staying_id FROM merging WHERE target_id = merging.id");
  await endLines(trx, hasHistory);
}

/** SQL of the score that the history of a row's score has at its time. */
const scoreThen = (row: string) => `(
  SELECT score FROM score_changes
  WHERE (score_changes.target_id, score_changes.metric_id) = (${row}.target_id, ${row}.metric_id) AND score_changes.at <= ${row}.at
  ORDER BY score_changes.at DESC
  LIMIT 1
)`;

/** Takes the confirmations of the scores that become one out of the table, with the score that each confirms. */
async function keepConfirmations(trx: Knex): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE merging_confirmations ON COMMIT DROP AS
    SELECT pair.target_id, metric_id, one.at, ${scoreThen("one")} AS score
    FROM merging_scores AS pair JOIN score_confirmations AS one USING (metric_id)
    WHERE one.target_id IN (from_id, pair.target_id)
  `);
  await trx.raw(`
    DELETE FROM score_confirmations AS one USING merging_scores AS pair
    WHERE one.target_id IN (from_id, pair.target_id) AND one.metric_id = pair.metric_id
  `);
  await trx.raw("UPDATE score_confirmations SET target_id = staying_id FROM merging WHERE target_id = merging.id");
}

/** Puts those back that confirm what the joint history has at their time. */
async function restoreConfirmations(trx: Knex): Promise<void> {
  await trx.raw(`
    INSERT INTO score_confirmations (target_id, metric_id, at)
    SELECT target_id, metric_id, at FROM merging_confirmations AS one WHERE score = ${scoreThen("one")}
    ON CONFLICT DO NOTHING
  `);
}

/**
 * Ends each history with the score that stays: its last change is copied to the score, or, if that has another value, a
 * change by the merge is added.
 */
async function endLines(trx: Knex, hasHistory: boolean): Promise<void> {
  const isChanged = raw("(before, scorer_before) <> (target.score, target.scorer)");
  await query(trx)`
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
        former_at = CASE
          WHEN ${isChanged} THEN ${raw(measuredAt("target"))}
          WHEN at IS NULL THEN target.former_at
          ELSE known.former_at
        END,
        changed_by = CASE WHEN ${isChanged} THEN 'move' ELSE coalesce(cause, target.changed_by) END
      FROM known
      WHERE (target.target_id, target.metric_id) = (known.target_id, known.metric_id)
      RETURNING target.target_id, target.metric_id, target.score, target.scorer, target.former_score, target.former_at,
        target.changed_at, target.changed_by, ${isChanged} AS is_changed
    )
    ${raw(insertChanges)}
    FROM stored
    WHERE is_changed AND ${hasHistory}::boolean
  `;
}
