import type { Knex } from "knex";

/** What identifies a score record. */
export interface ScoreKey {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly scorecard: string;
  readonly metric: string;
}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** Stores the score in place of the former one of its key. Returns when, by the database's clock. */
export async function saveScore(knex: Knex, score: NewScore): Promise<Date> {
  const { area, team, app, env, scorecard, metric, raw, scorer, pipeline_id = null, project_repo = null } = score;
  const { rows } = await knex.raw(
    `
    INSERT INTO scores (area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo)
    VALUES (?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::numeric, ?::jsonb, ?::text, ?::text, ?::text)
    ON CONFLICT (area, key) DO UPDATE SET
      score = excluded.score,
      raw = excluded.raw,
      scorer = excluded.scorer,
      pipeline_id = excluded.pipeline_id,
      project_repo = excluded.project_repo,
      reported_at = excluded.reported_at
    RETURNING reported_at
    `,
    [area, team, app, env, scorecard, metric, score.score, JSON.stringify(raw), scorer, pipeline_id, project_repo],
  );
  return rows[0].reported_at;
}
