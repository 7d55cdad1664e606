import type { Knex } from "knex";

/**
 * Why a score changed. `report`: another result was reported; `backfill`: one that was measured before the latest;
 * `rules`: another scorer scored the same result; `move`: another application was merged into this one.
 */
export const changeCauses = ["report", "backfill", "rules", "move"] as const;

/** SQL of the `OutOfRange` of a time of measurement, by the column `now`; null if it is in range. */
export function outOfRange(oldestDays: string, time = "measured_at"): string {
  return `CASE
    WHEN ${time} > now + interval '5 minutes' THEN 'ahead'
    WHEN ${time} < now - make_interval(hours => 24 * ${oldestDays}) THEN 'old'
  END`;
}

/** SQL of the time at which the evidence of a row of `scores` or `problems` was measured. */
export function measuredAt(row: string): string {
  return `coalesce(${row}.measured_at, ${row}.reported_at)`;
}

/** An INSERT of changes, for a SELECT of the changed columns of `scores`. */
export const insertChanges = `
  INSERT INTO score_changes (target_id, metric_id, at, former_at, former, score, scorer, cause)
  SELECT target_id, metric_id, changed_at, former_at, former_score, score, scorer, changed_by`;

/**
 * Links the changes of a score that come from several sources: each starts from the score of the change before. One that has
 * the score and the scorer of that is none: its result becomes a confirmation.
 *
 * @param scores a SELECT of the targets and the metrics of the scores
 */
export async function chainChanges(trx: Knex, scores: string): Promise<void> {
  const line = `(
    SELECT target_id, metric_id, at, lag(score) OVER ordered AS before, lag(at) OVER ordered AS before_at,
      lag(scorer) OVER ordered AS scorer_before
    FROM score_changes WHERE (target_id, metric_id) IN (${scores})
    WINDOW ordered AS (PARTITION BY target_id, metric_id ORDER BY at)
  ) AS line`;
  const isOfLine = "(later.target_id, later.metric_id, later.at) = (line.target_id, line.metric_id, line.at)";
  await trx.raw(`
    UPDATE score_changes AS later SET former = before, former_at = before_at
    FROM ${line} WHERE ${isOfLine} AND before <> coalesce(former, -1)
  `);
  await trx.raw(`
    WITH unchanged AS (
      DELETE FROM score_changes AS later USING ${line}
      WHERE ${isOfLine} AND (score, scorer) = (before, scorer_before)
      RETURNING later.target_id, later.metric_id, later.at, cause
    )
    INSERT INTO score_confirmations (target_id, metric_id, at)
    SELECT target_id, metric_id, at FROM unchanged WHERE cause IN ('report', 'backfill')
    ON CONFLICT DO NOTHING
  `);
}
