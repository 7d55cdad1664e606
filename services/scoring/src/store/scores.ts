import type { Knex } from "knex";
import { hasCode } from "../model/errors.ts";
import { changeAssignments, changeColumns, recordChanges } from "./score-changes.ts";
import {
  answers,
  type FoundRow,
  gather,
  type NewScore,
  reportedColumns,
  type ScoreKey,
  type Sent,
  type StoredScores,
  scoreId,
} from "./sent-scores.ts";
import { knownTarget, makeMetrics, makeTargets, noteUses } from "./targets.ts";
import { commitApart, inTransaction, type Terms } from "./transaction.ts";

export type { NewScore, ScoreKey, StoredScores };
export { scoreId };

/** How scores are stored. */
export interface ScoreTerms extends Terms {
  /** Is a change of the score or its scorer recorded in `score_changes`? */
  readonly hasHistory: boolean;
}

/**
 * Stores the scores of some callers in place of the previous ones of their keys, all or none, with a record of what changed.
 * If several have the same key, the last one counts. Those of a caller who reports of anything retired are left out.
 *
 * The statement looks the names up itself. If it knows all of them, that is all. Otherwise it stores nothing; then a second
 * transaction makes the applications, targets and metrics that are unknown, and stores. A target that was merged into another
 * one since the statement looked is refused by its foreign key; then the names are looked up again.
 *
 * @param callers each with at least one score
 */
export async function storeScores(
  knex: Knex,
  callers: readonly (readonly NewScore[])[],
  terms: ScoreTerms,
): Promise<readonly StoredScores[]> {
  const sent = gather(callers);
  const values = [
    JSON.stringify(sent.targets),
    JSON.stringify(sent.metrics),
    JSON.stringify(sent.rows),
    terms.hasHistory,
  ];
  for (let tries = 1; ; tries++) {
    try {
      const found = (await commitApart(knex, { name: "store-scores", text: prepared, values }, terms)) as FoundRow[];
      if (found.every(({ what }) => what !== "unknown")) return answers(sent, found);
      return answers(sent, await storeUnknown(knex, { sent, found, values }, terms));
    } catch (error) {
      if (!isGone(error) || tries === maxTries) throw error;
    }
  }
}

/** How often names are looked up again. Each time another merge must have come in between. */
const maxTries = 3;

/** Did a foreign key refuse a row, because its target was merged into another one? */
export function isGone(error: unknown): boolean {
  return hasCode(error, "23503");
}

/** How long to wait for others that make the same, in milliseconds: they commit soon, and then all of it is known. */
const makingMs = 200;

async function storeUnknown(
  knex: Knex,
  { sent, found, values }: { readonly sent: Sent; readonly found: readonly FoundRow[]; readonly values: unknown[] },
  { lockMs, signal }: ScoreTerms,
): Promise<FoundRow[]> {
  const unknown = new Set(found.filter(({ what }) => what === "unknown").map(({ target }) => target));
  return inTransaction(knex, async (trx) => {
    await trx.raw(`SET LOCAL lock_timeout = ${Math.max(lockMs, makingMs)}`);
    const targets = sent.targets.filter(({ place }) => unknown.has(place));
    if (targets.length > 0) await makeTargets(trx, targets);
    await makeMetrics(trx, sent.metrics);
    await trx.raw(`SET LOCAL lock_timeout = ${lockMs}`);
    const { rows }: { rows: FoundRow[] } = await trx.raw(upsert, values as never);
    if (rows.some(({ what }) => what === "unknown")) throw new Error("what was made is not found");
    signal.throwIfAborted();
    return rows;
  });
}

/** The time of a further report of a key. A merge may have changed it after its last report. */
const nextTime =
  "greatest(excluded.reported_at, greatest(former.reported_at, former.changed_at) + interval '1 microsecond')";

const columns = Object.keys(reportedColumns);
const listed = columns.join(", ");

/**
 * Rows are stored in the order of their ids, so that two statements never deadlock. Most get the time of the statement. Rows
 * to which another writer gave a later time get the next microsecond, and are listed.
 */
const upsert = `
  WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
  sent_targets AS MATERIALIZED (
    SELECT sent.place, sent.callers, known.*
    FROM json_to_recordset(?::json) AS sent (place int, area text, team text, app text, env text, callers int[])
    LEFT JOIN LATERAL (${knownTarget("sent")}) AS known ON true
  ),
  sent_metrics AS MATERIALIZED (
    SELECT sent.place, (
      SELECT id FROM metrics WHERE (metrics.scorecard, metrics.metric) = (sent.scorecard, sent.metric)
    ) AS metric_id
    FROM json_to_recordset(?::json) AS sent (place int, scorecard text, metric text)
  ),
  refused AS MATERIALIZED (SELECT unnest(callers) AS caller FROM sent_targets WHERE retired IS NOT NULL),
  unknown AS MATERIALIZED (
    SELECT place AS target, NULL::int AS metric FROM sent_targets
    WHERE target_id IS NULL AND EXISTS (SELECT unnest(callers) EXCEPT SELECT caller FROM refused)
    UNION ALL
    SELECT NULL, place FROM sent_metrics WHERE metric_id IS NULL
  ),
  stored AS (
    INSERT INTO scores AS former
      (target_id, metric_id, ${listed}, reported_at, changed_at)
    SELECT DISTINCT ON (target_id, metric_id)
      target_id, metric_id, ${listed}, now, now
    FROM moment, json_to_recordset(?::json) AS sent (
      place int, caller int, target int, metric int,
      ${Object.entries(reportedColumns)
        .map((column) => column.join(" "))
        .join(", ")}
    )
    JOIN sent_targets ON sent_targets.place = sent.target JOIN sent_metrics ON sent_metrics.place = sent.metric
    WHERE NOT EXISTS (SELECT FROM unknown)
      AND caller NOT IN (SELECT caller FROM refused)
    ORDER BY target_id, metric_id, sent.place DESC
    ON CONFLICT (target_id, metric_id) DO UPDATE SET
      ${columns.map((column) => `${column} = excluded.${column}`).join(", ")},
      reported_at = ${nextTime},
      ${changeAssignments(nextTime)}
    RETURNING ${changeColumns}
  ),
  recorded AS (${recordChanges} AND ?::boolean),
  noted AS (${noteUses("sent_targets")})
  SELECT 'now' AS what, now AS reported_at, NULL::int AS target, NULL::int AS metric, NULL AS area, NULL AS team, NULL AS app
  FROM moment
  UNION ALL
  SELECT 'later', stored.reported_at, sent_targets.place, sent_metrics.place, NULL, NULL, NULL
  FROM moment, stored JOIN sent_targets USING (target_id) JOIN sent_metrics USING (metric_id)
  WHERE stored.reported_at > now
  UNION ALL
  SELECT 'unknown', NULL, target, metric, NULL, NULL, NULL FROM unknown
  UNION ALL
  SELECT coalesce(retired, 'renamed'), NULL, place, NULL, area, team, app
  FROM sent_targets
  WHERE retired IS NOT NULL OR is_former
`;

let places = 0;
const prepared = upsert.replaceAll("?", () => `$${++places}`);
