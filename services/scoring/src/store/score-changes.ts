import type { Knex } from "knex";

/**
 * The parts of an upsert into `scores` that record the history. In it `former` is the existing row, and `stored` is
 * what it returns, with `changeColumns` at least. The former value comes from the locked row, so the history is exact
 * under concurrent writes.
 */

/**
 * Why a score changed: another result was reported, another scorer scored the same result, or another application was
 * merged into this one.
 */
export const changeCauses = ["report", "rules", "move"] as const;

/** Whether the new row has another score or scorer than the former one. */
const isChange = "(excluded.score, excluded.scorer) IS DISTINCT FROM (former.score, former.scorer)";

/**
 * The assignments to the columns of the last change. The cause is `rules` if another scorer scored the same `raw`.
 *
 * @param reportedAt SQL of the time of the report, which must be later than that of the former row
 */
export function changeAssignments(reportedAt: string): string {
  return `
    changed_at = CASE WHEN ${isChange} THEN ${reportedAt} ELSE former.changed_at END,
    former_score = CASE WHEN ${isChange} THEN former.score ELSE former.former_score END,
    changed_by = CASE
      WHEN NOT (${isChange}) THEN former.changed_by
      WHEN former.scorer <> excluded.scorer AND former.raw = excluded.raw THEN 'rules'
      ELSE 'report'
    END
  `;
}

export const changeColumns = "target_id, metric_id, score, scorer, reported_at, changed_at, former_score, changed_by";

/** Records the stored rows that have just changed: their `changed_at` is their `reported_at`. */
export const recordChanges = `
  INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
  SELECT target_id, metric_id, changed_at, former_score, score, scorer, changed_by
  FROM stored
  WHERE changed_at = reported_at
`;

/**
 * Links the changes of a score that come from several sources: each starts from the score of the change before.
 *
 * @param scores a SELECT of the targets and the metrics of the scores
 */
export async function chainChanges(trx: Knex, scores: string): Promise<void> {
  await trx.raw(`
    UPDATE score_changes AS later SET former = line.before
    FROM (
      SELECT target_id, metric_id, at, lag(score) OVER (PARTITION BY target_id, metric_id ORDER BY at) AS before
      FROM score_changes WHERE (target_id, metric_id) IN (${scores})
    ) AS line
    WHERE (later.target_id, later.metric_id, later.at) = (line.target_id, line.metric_id, line.at)
      AND line.before <> coalesce(later.former, -1)
  `);
}
