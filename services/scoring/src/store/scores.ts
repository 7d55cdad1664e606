import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { labelSet } from "../model/label-set.ts";
import { keyOf, rowId } from "./key.ts";
import { changeAssignments, changeColumns, recordChanges } from "./score-changes.ts";
import { commitApart, type Terms } from "./transaction.ts";

/** The key of a score. */
export interface ScoreKey extends Target {
  readonly scorecard: string;
  readonly metric: string;
}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, with two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** A row of the table of scores. */
export interface ScoreRow {
  /** Identifies the row within its table. */
  readonly id: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

export function scoreRow(one: NewScore): ScoreRow {
  const { area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo } = one;
  const key = keyOf([team, app, env, scorecard, metric]);
  const labels = labelSet({ area, team, app, env, scorecard, metric });
  return {
    id: rowId(area, key),
    columns: { area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, key, labels },
  };
}

/** How scores are stored. */
export interface ScoreTerms extends Terms {
  /** Is a change of the score or its scorer recorded in `score_changes`? */
  readonly hasHistory: boolean;
}

/**
 * Stores rows in place of the previous ones of their keys, all or none, with a record of what changed. If several have
 * the same key, the last one counts.
 *
 * @param rows at least one
 * @returns a function from the id of a row to the time of its report. Times come from the database's clock; each report
 * of a key is later than the one before.
 */
export async function storeScores(
  knex: Knex,
  rows: readonly ScoreRow[],
  { hasHistory, ...terms }: ScoreTerms,
): Promise<(id: string) => Date> {
  const values = [JSON.stringify(distinct(rows)), hasHistory];
  const [first, ...later] = await commitApart(knex, { name: "store-scores", text: upsert, values }, terms);
  const laterTimes = new Map(later.map(({ area, key, reported_at }) => [rowId(area, key), reported_at]));
  return (id) => laterTimes.get(id) ?? first?.reported_at;
}

/** The latest of these times. */
export function latest(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map(Number)));
}

/** The time of a further report of a key. A move may have changed it after its last report. */
const nextTime =
  "greatest(excluded.reported_at, greatest(former.reported_at, former.changed_at) + interval '1 microsecond')";

/**
 * Most rows get the time of the statement. Rows to which another writer gave a later time get the next microsecond, and
 * are listed.
 */
const upsert = `
  WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS reported_at),
  stored AS (
    INSERT INTO scores AS former
      (area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, key, labels, reported_at,
       changed_at)
    SELECT area, team, app, env, scorecard, metric, score, raw, scorer, pipeline_id, project_repo, key, labels,
      reported_at, reported_at
    FROM moment, json_to_recordset($1::json) AS rows (
      area text, team text, app text, env text, scorecard text, metric text, score numeric, raw jsonb, scorer text,
      pipeline_id text, project_repo text, key bytea, labels text
    )
    ON CONFLICT (area, key) DO UPDATE SET
      score = excluded.score,
      raw = excluded.raw,
      scorer = excluded.scorer,
      pipeline_id = excluded.pipeline_id,
      project_repo = excluded.project_repo,
      reported_at = ${nextTime},
      ${changeAssignments(nextTime)}
    RETURNING area, key, ${changeColumns}
  ),
  recorded AS (${recordChanges} AND $2::boolean)
  SELECT reported_at, NULL AS area, NULL AS key FROM moment
  UNION ALL
  SELECT stored.reported_at, stored.area, '\\x' || encode(stored.key, 'hex')
  FROM stored, moment
  WHERE stored.reported_at > moment.reported_at
`;

/** The columns of one row for each key, in the order of keys, so that two statements never deadlock. */
function distinct(rows: readonly ScoreRow[]): ScoreRow["columns"][] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort(({ id: a }, { id: b }) => (a < b ? -1 : 1)).map(({ columns }) => columns);
}
