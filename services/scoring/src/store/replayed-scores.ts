import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import type { NameFilter } from "../model/target-filter.ts";
import { conjunction, isOneOf } from "./conditions.ts";
import { insertChanges, measuredAt } from "./score-changes.ts";
import { query } from "./sql.ts";
import type { MetricName } from "./targets.ts";
import { isoTime } from "./utc.ts";

/** A stored score to score again. */
export interface ScoreToReplay extends MetricName {
  readonly target_id: number;
  readonly metric_id: number;
  readonly score: number;
  readonly scorer: string;
  readonly raw: object;
  /** In UTC, with microseconds. */
  readonly reported_at: string;
}

/** The result of scoring a row again. */
export interface ReplayedScore {
  readonly row: ScoreToReplay;
  readonly score: number;
  readonly scorer: string;
}

/** Few rows, because each result may have a mebibyte. */
const pageRows = 100;

/** Yields the scores that match a filter, page by page in the order of ids. Each page is a statement of its own. */
export async function* scoresToReplay(knex: Knex, filter: NameFilter): AsyncGenerator<readonly ScoreToReplay[]> {
  let last = { target_id: 0, metric_id: 0 };
  for (;;) {
    const rows = await query(knex)`
      SELECT target_id, metric_id, scorecard, metric, score, scorer, raw, ${raw(isoTime("reported_at"))} AS reported_at
      FROM scores_by_name
      WHERE (target_id, metric_id) > (${last.target_id}::int, ${last.metric_id}::int)
        AND ${conjunction(isOneOf({ ...filter }))}
      ORDER BY target_id, metric_id
      LIMIT ${pageRows}::int
    `;
    if (rows.length > 0) yield rows.map((row: ScoreToReplay) => ({ ...row, score: Number(row.score) }));
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

/**
 * Writes new scores with the cause `rules`; the times of the results stay. A row is left unchanged if it was reported,
 * merged, retired or replayed since it was read, or if it is locked: a replay never delays a submission, and two replays
 * never wait for each other.
 *
 * @param hasHistory as of `createScoreStore`
 * @returns how many were written
 */
export async function writeReplayed(
  knex: Knex,
  scores: readonly ReplayedScore[],
  hasHistory: boolean,
): Promise<number> {
  const rows = scores.map(({ row: { target_id, metric_id, reported_at, score, scorer }, ...made }) => ({
    ...{ target_id, metric_id, reported_at, score, scorer },
    ...{ new_score: made.score, new_scorer: made.scorer },
  }));
  const { rows: found } = await knex.raw(write, [JSON.stringify(rows), hasHistory]);
  return found[0].written;
}

/** Each submission of a key has a later time, so an equal time means that there was no other. */
const write = `
  WITH wanted AS MATERIALIZED (
    SELECT target_id AS of_target, metric_id AS of_metric, reported_at AS read_at, score AS read_score, scorer AS read_scorer,
      new_score, new_scorer
    FROM json_to_recordset(?::json) AS rows (
      target_id int, metric_id smallint, reported_at timestamptz, score numeric, scorer text, new_score numeric, new_scorer text
    )
  ),
  free AS MATERIALIZED (
    SELECT target_id, metric_id
    FROM scores JOIN wanted ON (target_id, metric_id) = (of_target, of_metric)
    JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id
    WHERE targets.retired_at IS NULL AND applications.retired_at IS NULL
    ORDER BY target_id, metric_id
    FOR NO KEY UPDATE OF scores SKIP LOCKED
  ),
  stored AS (
    UPDATE scores AS former SET
      score = new_score,
      scorer = new_scorer,
      changed_at = greatest(clock_timestamp(), greatest(former.reported_at, former.changed_at) + interval '1 microsecond'),
      former_score = former.score,
      former_at = ${measuredAt("former")},
      changed_by = 'rules'
    FROM free JOIN wanted ON (free.target_id, free.metric_id) = (of_target, of_metric)
    WHERE (former.target_id, former.metric_id) = (free.target_id, free.metric_id)
      AND (former.reported_at, former.score, former.scorer) = (read_at, read_score, read_scorer)
    RETURNING former.target_id, former.metric_id, changed_at, former_at, former_score, former.score, former.scorer, changed_by
  ),
  recorded AS (
    ${insertChanges} FROM stored WHERE ?::boolean
  )
  SELECT count(*)::int AS written FROM stored
`;
