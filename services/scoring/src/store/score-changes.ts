import type { Knex } from "knex";
import { dayOf } from "./utc.ts";

/**
 * The parts of an upsert into `scores` that record the history. In it `former` is the existing row, and `stored` is
 * what it returns, with `changeColumns` at least. The former value comes from the locked row, so the history is exact
 * under concurrent writes.
 */

/**
 * Why a score changed: another result was reported, or one that was measured before the latest; another scorer scored
 * the same result; or another application was merged into this one.
 */
export const changeCauses = ["report", "backfill", "rules", "move"] as const;

/** Whether the new row has another score or scorer than the former one. */
const isChange = "(excluded.score, excluded.scorer) IS DISTINCT FROM (former.score, former.scorer)";

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

/**
 * The assignments to the columns of the last change. The cause is `rules` if another scorer scored the same `raw`.
 *
 * @param at SQL of the time of the change, which must be later than that of the former row's last change
 */
export function changeAssignments(at: string): string {
  return `
    changed_at = CASE WHEN ${isChange} THEN ${at} ELSE former.changed_at END,
    former_score = CASE WHEN ${isChange} THEN former.score ELSE former.former_score END,
    former_at = CASE WHEN ${isChange} THEN ${measuredAt("former")} ELSE former.former_at END,
    changed_by = CASE
      WHEN NOT (${isChange}) THEN former.changed_by
      WHEN former.scorer <> excluded.scorer AND former.raw = excluded.raw THEN 'rules'
      ELSE 'report'
    END
  `;
}

/**
 * The assignment to `repeated_at`: the time of the former evidence, if it repeated the score as the new one does. Of
 * evidence that states no time, only the last of each day counts.
 *
 * @param at SQL of the time of the new evidence
 */
export function repeatAssignment(at: string): string {
  const former = measuredAt("former");
  return `
    repeated_at = CASE
      WHEN NOT (${isChange}) AND ${former} > former.changed_at AND ${former} < ${at}
        AND (former.measured_at IS NOT NULL OR ${dayOf(former)} < ${dayOf(at)})
      THEN ${former}
    END
  `;
}

/** Records the time of a confirmation of the stored rows, if there is one. */
export const recordRepeats = (condition: string): string => `
  INSERT INTO score_confirmations (target_id, metric_id, at)
  SELECT target_id, metric_id, repeated_at FROM stored WHERE repeated_at IS NOT NULL AND ${condition}
  ON CONFLICT DO NOTHING
`;

export const changeColumns: string =
  "target_id, metric_id, score, scorer, measured_at, reported_at, changed_at, former_at, former_score, changed_by, repeated_at";

/** An INSERT of changes, for a SELECT of the changed columns of `scores`. */
export const insertChanges = `
  INSERT INTO score_changes (target_id, metric_id, at, former_at, former, score, scorer, cause)
  SELECT target_id, metric_id, changed_at, former_at, former_score, score, scorer, changed_by`;

/**
 * Records the stored rows that have just changed: they did not change before their evidence. A row that changed after
 * its evidence, by a replay, is recorded already.
 */
export const recordChanges = (condition: string): string => `
  ${insertChanges}
  FROM stored
  WHERE changed_at >= ${measuredAt("stored")} AND ${condition}
  ON CONFLICT DO NOTHING
`;

/**
 * Links the changes of a score that come from several sources: each starts from the score of the change before.
 *
 * @param scores a SELECT of the targets and the metrics of the scores
 */
export async function chainChanges(trx: Knex, scores: string): Promise<void> {
  await trx.raw(`
    UPDATE score_changes AS later SET former = line.before, former_at = line.before_at
    FROM (
      SELECT target_id, metric_id, at, lag(score) OVER ordered AS before, lag(at) OVER ordered AS before_at
      FROM score_changes WHERE (target_id, metric_id) IN (${scores})
      WINDOW ordered AS (PARTITION BY target_id, metric_id ORDER BY at)
    ) AS line
    WHERE (later.target_id, later.metric_id, later.at) = (line.target_id, line.metric_id, line.at)
      AND line.before <> coalesce(later.former, -1)
  `);
}
