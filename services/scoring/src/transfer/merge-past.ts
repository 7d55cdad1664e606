import type { Knex } from "knex";
import { chainChanges } from "../store/score-changes.ts";
import { count } from "./count.ts";

/** Every score with its names, whether or not its application is retired. */
export const everyScore = `(
  SELECT id, area, team, app, env, key, reported_at FROM scores
  UNION ALL SELECT id, area, team, app, env, key, reported_at FROM retired_scores
)`;

/** Notes which scores may get a past from two sides. To be called before any score is stored. */
export async function noteKnown(trx: Knex): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE joined ON COMMIT DROP AS
    SELECT id
    FROM ${everyScore} AS one
    WHERE (area, key) IN (SELECT area, key FROM imported_score_changes UNION SELECT area, key FROM imported_scores)
  `);
}

/** Adds changes to the scores that are stored. */
export async function mergeChanges(trx: Knex): Promise<number> {
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
      SELECT id, at, former, imported.score, imported.scorer, cause
      FROM imported_score_changes AS imported JOIN ${everyScore} AS one USING (area, key)
      ORDER BY at
      ON CONFLICT (score_id, at) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

/**
 * Where a score was known here, or two names of the file became one, the pasts become one line: each change follows from the
 * one before, and the last one leads to the score. Where the past that lost has the last change, the report that counts is
 * a change too. Where the file has a score without the change that led to it, that change is added.
 */
export async function joinPasts(trx: Knex): Promise<void> {
  await trx.raw(`
    INSERT INTO joined
    SELECT id FROM ${everyScore} AS one
    WHERE (area, team, app) IN (SELECT to_area, to_team, to_app FROM imported_names)
  `);
  await chainChanges(trx, "SELECT id FROM joined");
  for (const table of ["scores", "retired_scores"]) {
    await trx.raw(`
      WITH line AS (
        SELECT DISTINCT ON (score_id) score_id, at, former, score AS before, scorer AS scorer_before, cause
        FROM score_changes
        WHERE score_id IN (SELECT id FROM joined)
        ORDER BY score_id, at DESC
      ),
      ends AS (
        SELECT one.id, at, former, before, cause, (before, scorer_before) = (one.score, one.scorer) AS is_end
        FROM ${table} AS one JOIN line ON score_id = one.id
      ),
      stored AS (
        UPDATE ${table} AS one
        SET changed_at = CASE
            WHEN is_end THEN at
            WHEN changed_at > at THEN changed_at
            ELSE greatest(reported_at, at + interval '1 microsecond')
          END,
          former_score = CASE WHEN is_end THEN former ELSE before END,
          changed_by = CASE
            WHEN is_end THEN cause
            WHEN changed_at > at THEN changed_by
            WHEN at < reported_at THEN 'report'
            ELSE 'move'
          END
        FROM ends
        WHERE ends.id = one.id
          AND (NOT is_end OR (changed_at, former_score, changed_by) IS DISTINCT FROM (at, former, cause))
        RETURNING one.id, one.score, one.scorer, former_score, changed_at, changed_by, is_end
      )
      INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
      SELECT id, changed_at, former_score, score, scorer, changed_by FROM stored WHERE NOT is_end
    `);
  }
}

/** A day that is here still stays. */
export async function mergeDays(trx: Knex): Promise<number> {
  await trx.raw(`
    INSERT INTO roll_up_targets (area, team, app, env, key)
    SELECT DISTINCT area, team, app, env, key FROM imported_roll_up_days
    ORDER BY area, key
    ON CONFLICT (area, key) DO NOTHING
  `);
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO roll_up_days (target_id, day, count, score, coverage, fresh_coverage, lowest, weights, waived)
      SELECT id, day, count, score, coverage, fresh_coverage, lowest, weights, waived
      FROM imported_roll_up_days JOIN roll_up_targets USING (area, key)
      ORDER BY day, id
      ON CONFLICT (target_id, day) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}
