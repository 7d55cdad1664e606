import { query } from "./postgres.ts";

/** A change as it is recorded, without its time. */
export interface RecordedChange {
  readonly app: string;
  readonly former: number | null;
  readonly score: number;
  readonly scorer: string;
  readonly cause: string;
}

/** The statement that reads the changes of an area in the order of time. */
export function changesOf(area: string): string {
  return `
    SELECT app, former::float8, score_changes.score::float8, score_changes.scorer, cause
    FROM score_changes JOIN scores_by_name USING (target_id, metric_id)
    WHERE area = '${area}'
    ORDER BY app, at
  `;
}

/** The statement that reads faults of the history. There are none if it begins with the first report of each score. */
export const historyFaults = `
  WITH chained AS (
    SELECT *, lag(score) OVER past AS before, lag(scorer) OVER past AS scorer_before, lead(at) OVER past IS NULL AS is_last
    FROM score_changes
    WINDOW past AS (PARTITION BY target_id, metric_id ORDER BY at)
  )
  SELECT 'is no change' AS fault, target_id, metric_id
  FROM chained WHERE (score, scorer) IS NOT DISTINCT FROM (before, scorer_before)
  UNION ALL
  SELECT 'does not follow from the one before', target_id, metric_id FROM chained WHERE former IS DISTINCT FROM before
  UNION ALL
  SELECT 'is not what the score says of its last change', scores.target_id, scores.metric_id
  FROM scores LEFT JOIN chained
    ON (chained.target_id, chained.metric_id) = (scores.target_id, scores.metric_id) AND is_last
  WHERE (chained.at, former, chained.score, chained.scorer, cause)
    IS DISTINCT FROM (changed_at, former_score, scores.score, scores.scorer, changed_by)
  UNION ALL
  SELECT 'is a change of no score', target_id, metric_id
  FROM score_changes LEFT JOIN scores USING (target_id, metric_id) WHERE scores.raw IS NULL
`;

/** The faults of the history of a PostgreSQL database. */
export async function faultsOfHistory(
  databaseUrl: string,
): Promise<{ fault: string; target_id: number; metric_id: number }[]> {
  return (await query(databaseUrl, historyFaults)).rows;
}
