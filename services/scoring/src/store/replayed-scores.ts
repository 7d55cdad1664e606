import type { Knex } from "knex";
import type { TargetFilter } from "../model/target-filter.ts";
import type { ScoreKey } from "./scores.ts";
import { isoTime } from "./utc.ts";

/** A stored score to score again. */
export interface ScoreToReplay extends Pick<ScoreKey, "area" | "scorecard" | "metric"> {
  /** In the notation of `keyOf`. */
  readonly key: string;
  readonly score: number;
  readonly scorer: string;
  readonly raw: object;
  /** In UTC, with microseconds. */
  readonly reported_at: string;
}

/** The score of today's rules, for a row as it was read. */
export interface ReplayedScore {
  readonly row: ScoreToReplay;
  readonly score: number;
  readonly scorer: string;
}

/** A raw result can have a mebibyte. */
const pageRows = 100;

/** Gives all scores that a filter leaves, page by page in the order of keys. Each page is read by a statement of its own. */
export async function* scoresToReplay(knex: Knex, filter: TargetFilter): AsyncGenerator<readonly ScoreToReplay[]> {
  const wanted: [string, readonly string[]][] = Object.entries(filter);
  const where = wanted.map(([column]) => `AND ${column} = ANY(?::text[])`).join(" ");
  let last = { area: "", key: "\\x" };
  for (;;) {
    const { rows } = await knex.raw(
      `
      SELECT area, '\\x' || encode(key, 'hex') AS key, scorecard, metric, score, scorer, raw,
        ${isoTime("reported_at")} AS reported_at
      FROM scores
      WHERE (area, key) > (?::text, ?::text::bytea) ${where}
      ORDER BY area, key
      LIMIT ${pageRows}
      `,
      [last.area, last.key, ...wanted.map(([, values]) => [...values])],
    );
    if (rows.length > 0) yield rows.map((row: ScoreToReplay) => ({ ...row, score: Number(row.score) }));
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

/**
 * Gives scores the value of today's rules, with the cause `rules`; the times of their reports stay. A row that was reported,
 * moved, retired or replayed since it was read is left as it is, and so is one that somebody is writing at this moment: a
 * replay never keeps a report waiting, and no two of them wait for each other.
 *
 * @param hasHistory as in `ScoreTerms`
 * @returns how many were written
 */
export async function writeReplayed(
  knex: Knex,
  scores: readonly ReplayedScore[],
  hasHistory: boolean,
): Promise<number> {
  const rows = scores.map(({ row: { area, key, reported_at, score, scorer }, ...made }) => ({
    ...{ area, key, reported_at, score, scorer },
    ...{ new_score: made.score, new_scorer: made.scorer },
  }));
  const { rows: found } = await knex.raw(write, [JSON.stringify(rows), hasHistory]);
  return found[0].written;
}

/** Each report of a key is later than the one before, so its time tells whether there was another. */
const write = `
  WITH wanted AS MATERIALIZED (
    SELECT area AS of_area, key::bytea AS of_key, reported_at AS read_at, score AS read_score, scorer AS read_scorer,
      new_score, new_scorer
    FROM json_to_recordset(?::json) AS rows (
      area text, key text, reported_at timestamptz, score numeric, scorer text, new_score numeric, new_scorer text
    )
  ),
  free AS MATERIALIZED (
    SELECT area, key
    FROM scores JOIN wanted ON (area, key) = (of_area, of_key)
    ORDER BY area, key
    FOR NO KEY UPDATE OF scores SKIP LOCKED
  ),
  stored AS (
    UPDATE scores AS former SET
      score = new_score,
      scorer = new_scorer,
      changed_at = greatest(clock_timestamp(), greatest(former.reported_at, former.changed_at) + interval '1 microsecond'),
      former_score = former.score,
      changed_by = 'rules'
    FROM free JOIN wanted ON (free.area, free.key) = (of_area, of_key)
    WHERE (former.area, former.key) = (free.area, free.key)
      AND (former.reported_at, former.score, former.scorer) = (read_at, read_score, read_scorer)
    RETURNING id, changed_at, former_score, former.score, former.scorer, changed_by
  ),
  recorded AS (
    INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
    SELECT id, changed_at, former_score, score, scorer, changed_by FROM stored WHERE ?::boolean
  )
  SELECT count(*)::int AS written FROM stored
`;
