import type { Knex } from "knex";
import { keySql, labelsSql } from "../made-columns.ts";
import { chainChanges } from "../score-changes.ts";

const key = keySql(["to_team", "to_app", "env", "scorecard", "metric"]);

const labels = labelsSql({
  area: "moving.to_area",
  team: "moving.to_team",
  app: "moving.to_app",
  env: "one.env",
  scorecard: "one.scorecard",
  metric: "one.metric",
});

/**
 * Renames the scores of the temporary table `moving`, the retired ones too. Where the target has the same metric, the
 * newer report of the two counts, and their pasts become one line.
 */
export async function moveScores(trx: Knex, hasHistory: boolean): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE merging (
      from_area text COLLATE "C", from_key bytea, from_id bigint,
      to_area text COLLATE "C", to_key bytea, to_id bigint, to_score numeric(5, 2), to_scorer text, is_newer boolean
    ) ON COMMIT DROP
  `);
  await trx.raw("SELECT FROM scores JOIN moving USING (area, team, app) ORDER BY area, key FOR UPDATE OF scores");
  await trx.raw(`
    INSERT INTO merging
    SELECT one.area, one.key, one.id, other.area, other.key, other.id, other.score, other.scorer,
      one.reported_at > other.reported_at
    FROM (SELECT scores.*, to_area, ${key} AS to_key FROM scores JOIN moving USING (area, team, app)) AS one
    JOIN scores AS other ON (other.area, other.key) = (one.to_area, one.to_key)
    FOR UPDATE OF other
  `);
  const { rows } = await trx.raw("SELECT EXISTS (SELECT FROM merging) AS merges");
  if (rows[0].merges) await mergeScores(trx, hasHistory);
  for (const table of ["scores", "retired_scores"]) {
    await trx.raw(`
      UPDATE ${table} AS one
      SET area = to_area, team = to_team, app = to_app, key = ${key}, labels = ${labels}
      FROM moving
      WHERE (one.area, one.team, one.app) = (moving.area, moving.team, moving.app)
    `);
  }
}

async function mergeScores(trx: Knex, hasHistory: boolean): Promise<void> {
  await trx.raw("ANALYZE merging");
  await trx.raw(`
    DELETE FROM score_changes AS one USING merging
    WHERE one.score_id = from_id AND EXISTS (
      SELECT FROM score_changes AS other WHERE other.score_id = to_id AND other.at = one.at
    )
  `);
  await trx.raw("UPDATE score_changes SET score_id = to_id FROM merging WHERE score_id = from_id");
  await chainChanges(trx, "SELECT to_id FROM merging");
  await trx.raw(`
    UPDATE scores AS target
    SET score = newer.score, raw = newer.raw, scorer = newer.scorer, pipeline_id = newer.pipeline_id,
      project_repo = newer.project_repo, reported_at = newer.reported_at
    FROM merging JOIN scores AS newer ON (newer.area, newer.key) = (from_area, from_key)
    WHERE is_newer AND (target.area, target.key) = (merging.to_area, merging.to_key)
  `);
  await trx.raw("DELETE FROM scores USING merging WHERE (area, key) = (from_area, from_key)");
  await trx.raw(
    `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
    line AS (
      SELECT DISTINCT ON (score_id) score_id, at, former, score, scorer, cause
      FROM score_changes
      WHERE score_id IN (SELECT to_id FROM merging)
      ORDER BY score_id, at DESC
    ),
    known AS (
      SELECT merging.to_area AS area, merging.to_key AS key, at, former, cause,
        coalesce(line.score, to_score) AS before, coalesce(line.scorer, to_scorer) AS scorer_before,
        greatest(now, at + interval '1 microsecond') AS moved_at
      FROM moment, merging LEFT JOIN line ON score_id = to_id
    ),
    stored AS (
      UPDATE scores AS target
      SET
        changed_at = CASE WHEN (before, scorer_before) = (target.score, target.scorer) THEN coalesce(at, target.changed_at) ELSE moved_at END,
        former_score = CASE
          WHEN (before, scorer_before) <> (target.score, target.scorer) THEN before
          WHEN at IS NULL THEN target.former_score
          ELSE former
        END,
        changed_by = CASE
          WHEN (before, scorer_before) <> (target.score, target.scorer) THEN 'move'
          ELSE coalesce(cause, target.changed_by)
        END
      FROM known
      WHERE (target.area, target.key) = (known.area, known.key)
      RETURNING target.id, target.score, target.scorer, target.former_score, target.changed_at, target.changed_by,
        (before, scorer_before) <> (target.score, target.scorer) AS is_changed
    )
    INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
    SELECT id, changed_at, former_score, score, scorer, changed_by FROM stored WHERE is_changed AND ?::boolean
    `,
    [hasHistory],
  );
}
