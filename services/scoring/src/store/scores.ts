import type { Knex } from "knex";
import { labelSet } from "../exposition/labels.ts";
import { prepared } from "./database.ts";
import { keyOf } from "./key.ts";

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

/**
 * Stores each score in place of the former one of its key, all or none; of two with one key the later counts. Returns
 * when, by the database's clock.
 *
 * @param scores at least one
 */
export async function saveScores(knex: Knex, scores: readonly NewScore[]): Promise<Date> {
  const rows = await prepared(knex, "save-scores", upsert, [JSON.stringify(distinctRows(scores))]);
  return rows[0]?.reported_at;
}

const upsert = `
  WITH stored AS (
    INSERT INTO scores
      (area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, key, labels)
    SELECT area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, key, labels
    FROM json_to_recordset($1::json) AS rows (
      area text, team text, app text, env text, scorecard text, metric text, score numeric, raw jsonb, scorer text,
      pipeline_id text, project_repo text, key bytea, labels text
    )
    ON CONFLICT (area, key) DO UPDATE SET
      score = excluded.score,
      raw = excluded.raw,
      scorer = excluded.scorer,
      pipeline_id = excluded.pipeline_id,
      project_repo = excluded.project_repo,
      reported_at = excluded.reported_at
  )
  SELECT now() AS reported_at
`;

/** One row for each key, in the order of keys, so that two statements never wait for each other's rows. */
function distinctRows(scores: readonly NewScore[]): object[] {
  const rows = new Map<string, object>();
  for (const { area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo } of scores) {
    const key = keyOf([team, app, env, scorecard, metric]);
    const labels = labelSet({ area, team, app, env, scorecard, metric });
    rows.set(area + key, {
      ...{ area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo },
      ...{ key, labels },
    });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
