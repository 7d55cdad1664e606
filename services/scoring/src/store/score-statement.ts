import type { Knex } from "knex";
import type { OutOfRange } from "../model/measured-at.ts";
import type { NewScore, Reported } from "./new-score.ts";
import { insertChanges, measuredAt, outOfRange } from "./score-changes.ts";
import { knownTarget } from "./targets.ts";
import { dayOf, firstMoment } from "./utc.ts";

/** The columns of `scores` that a submission sets, with their types. */
const reportedColumns: Readonly<Record<keyof Reported, string>> = {
  score: "numeric",
  raw: "jsonb",
  scorer: "text",
  pipeline_id: "text",
  project_repo: "text",
};

const columns = Object.keys(reportedColumns) as (keyof Reported)[];

/** The rows of `sent` in the statement, as JSON, without further properties of scores such as their reasons. */
export function sentRows(callers: readonly (readonly NewScore[])[]): string {
  let index = 0;
  const rows = callers.flatMap((scores, caller) =>
    scores.map((score) => {
      const { area, team, app, env, scorecard, metric } = score;
      const row: Record<string, unknown> = { index: index++, caller, area, team, app, env, scorecard, metric };
      if (score.measured_at !== undefined) row.measured_at = score.measured_at;
      for (const column of columns) row[column] = score[column];
      return row;
    }),
  );
  return JSON.stringify(rows);
}

/**
 * A row of the statement's answer: a sent score, unless it was simply stored at `now`. The answer has at least one row.
 */
export interface FoundRow {
  /** The time at which the statement began. */
  readonly now: Date;
  /** Whether it began too late. Then it stored nothing. */
  readonly is_late: boolean;
  /** The index of the score; null if there is none of this kind. */
  readonly index: number | null;
  readonly caller: number;
  /** When the score was reported, if that is after `now`. */
  readonly reported_at: Date | null;
  /** Whether the target or the metric is unknown. Then nothing was stored, unless its caller was left out anyway. */
  readonly is_unknown: boolean;
  readonly retired: "app" | "env" | null;
  readonly out_of_range: OutOfRange | null;
  /** Whether it is refused, because nobody registered its application. */
  readonly is_refused: boolean;
  /** Whether its application is held. */
  readonly is_held: boolean | null;
  /** Whether a later result of its key is stored. */
  readonly is_past: boolean;
  readonly target_id: number | null;
  readonly metric_id: number | null;
  /** Whether it was reported by a former name whose use is to be noted. */
  readonly is_unnoted: boolean;
  /** The current name of the application; null if it is unknown. */
  readonly area: string | null;
  readonly team: string | null;
  readonly app: string | null;
}

/** Whether the new row has another score or scorer than the former one. */
const isChange = "(excluded.score, excluded.scorer) IS DISTINCT FROM (former.score, former.scorer)";

/** When the evidence of the former row and that of the new one were measured. */
const [formerTime, newTime] = [measuredAt("former"), measuredAt("excluded")];

/** The time of a further submission of a key, which is after a change by a merge, too. */
const nextTime =
  "greatest(excluded.reported_at, greatest(former.reported_at, former.changed_at) + interval '1 microsecond')";

/** The time of a change: that of the measurement, but after the last change. */
const changeTime = `CASE
    WHEN excluded.measured_at IS NULL THEN ${nextTime}
    ELSE greatest(excluded.measured_at, former.changed_at + interval '1 microsecond')
  END`;

const listed = columns.join(", ");
const typed = Object.entries(reportedColumns).map((column) => column.join(" "));

/**
 * Rows are stored in the order of their ids, so that two statements never deadlock. Most get the time of the statement.
 * Rows with a later time from another writer get the next microsecond, and are listed.
 *
 * The history is exact under concurrent writes, because the former value comes from the locked row (`former`). The cause of
 * a change is `rules` if another scorer scored the same `raw`. `repeated_at` is the time of the former evidence, if it
 * repeated the score as the new one does; of evidence that states no time, only the last of each day counts.
 *
 * A row has just changed if it did not change before its evidence. A row that changed after its evidence, by a replay, is
 * recorded already. Noted as silent are another scorer for the same result, and a result that was measured longer than a
 * day ago, which is past evidence and announced nowhere.
 */
const upsert = `
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp() AS now, clock_timestamp() > ?::timestamptz AS is_late, set_config('lock_timeout', ?::text, true),
      ?::text AS refusal
  ),
  sent AS MATERIALIZED (
    SELECT index, caller, ${listed}, metrics.id AS metric_id, known.*,
      known.target_id IS NULL OR metrics.id IS NULL AS is_unknown,
      CASE refusal WHEN 'known' THEN coalesce(known.is_unregistered, false)
        WHEN 'all' THEN coalesce(known.is_unregistered, true) ELSE false END AS is_refused,
      CASE WHEN sent.measured_at < now THEN sent.measured_at END AS measured_at,
      ${outOfRange("?::int", "sent.measured_at")} AS out_of_range
    FROM moment CROSS JOIN json_to_recordset(?::json) AS sent (
      index int, caller int, area text, team text, app text, env text, scorecard text, metric text,
      measured_at timestamptz, ${typed.join(", ")}
    )
    LEFT JOIN metrics ON (metrics.scorecard, metrics.metric) = (sent.scorecard, sent.metric)
    LEFT JOIN LATERAL (${knownTarget}) AS known ON true
  ),
  callers AS MATERIALIZED (
    SELECT coalesce(array_agg(DISTINCT caller) FILTER (WHERE is_unknown), '{}') AS unknown,
      coalesce(array_agg(DISTINCT caller) FILTER (
        WHERE retired IS NOT NULL OR out_of_range IS NOT NULL OR is_refused
      ), '{}') AS refused
    FROM sent
  ),
  latest AS MATERIALIZED (
    SELECT DISTINCT ON (target_id, metric_id) target_id, metric_id, ${listed}, now, measured_at, index
    FROM moment, callers, sent
    WHERE NOT is_late AND unknown <@ refused AND caller <> ALL (refused)
    ORDER BY target_id, metric_id, measured_at DESC NULLS FIRST, index DESC
  ),
  stored AS (
    INSERT INTO scores AS former
      (target_id, metric_id, ${listed}, reported_at, changed_at, measured_at)
    SELECT target_id, metric_id, ${listed}, now, coalesce(measured_at, now), measured_at FROM latest
    ON CONFLICT (target_id, metric_id) DO UPDATE SET
      ${columns.map((column) => `${column} = excluded.${column}`).join(", ")},
      reported_at = ${nextTime},
      measured_at = excluded.measured_at,
      repeated_at = CASE
        WHEN NOT (${isChange}) AND ${formerTime} > former.changed_at AND ${formerTime} < ${newTime}
          AND (former.measured_at IS NOT NULL OR ${dayOf(formerTime)} < ${dayOf(newTime)})
        THEN ${formerTime}
      END,
      changed_at = CASE WHEN ${isChange} THEN ${changeTime} ELSE former.changed_at END,
      former_score = CASE WHEN ${isChange} THEN former.score ELSE former.former_score END,
      former_at = CASE WHEN ${isChange} THEN ${formerTime} ELSE former.former_at END,
      changed_by = CASE
        WHEN NOT (${isChange}) THEN former.changed_by
        WHEN former.scorer <> excluded.scorer AND former.raw = excluded.raw THEN 'rules'
        ELSE 'report'
      END
    WHERE excluded.measured_at IS NULL OR excluded.measured_at > ${formerTime}
      OR (?::boolean AND excluded.measured_at = ${formerTime})
    RETURNING target_id, metric_id, score, scorer, measured_at, reported_at, changed_at, former_at, former_score, changed_by, repeated_at
  ),
  recorded AS (
    ${insertChanges}
    FROM stored
    WHERE changed_at >= ${measuredAt("stored")} AND ?::boolean
    ON CONFLICT DO NOTHING
  ),
  noted AS (
    INSERT INTO reported_changes (noted_at, target_id, metric_id, former, former_at, score, is_silent)
    SELECT now, target_id, metric_id, former_score, former_at, score,
      changed_by <> 'report' OR coalesce(measured_at < now - interval '24 hours', false)
    FROM stored, moment
    WHERE changed_at >= ${measuredAt("stored")} AND ?::boolean
  ),
  repeated AS (
    INSERT INTO score_confirmations (target_id, metric_id, at)
    SELECT target_id, metric_id, repeated_at FROM stored WHERE repeated_at IS NOT NULL AND ?::boolean
    ON CONFLICT DO NOTHING
  )
  SELECT now, is_late, index, caller, reported_at, is_unknown, retired, out_of_range, is_unnoted, area, team, app,
    target_id, metric_id, is_past, is_refused, is_held
  FROM moment LEFT JOIN (
    SELECT sent.*, of_key.reported_at, takes_place,
      sent.measured_at IS NOT NULL AND of_key.index IS DISTINCT FROM sent.index AS is_past
    FROM sent LEFT JOIN (
      SELECT target_id, metric_id, index, CASE WHEN reported_at > now THEN reported_at END AS reported_at,
        changed_at > stored.measured_at OR former_at = stored.measured_at AS takes_place
      FROM latest JOIN stored USING (target_id, metric_id)
    ) AS of_key USING (target_id, metric_id)
  ) AS sent ON is_unknown OR retired IS NOT NULL OR out_of_range IS NOT NULL OR is_former OR is_past OR is_refused OR is_held
    OR measured_at < ${firstMoment(dayOf("now"))} OR sent.reported_at IS NOT NULL
    OR takes_place
`;

let parameters = 0;

/** The statement that stores scores: with `?` for knex, and with numbered parameters for the driver. */
export const statement: Readonly<Record<"name" | "text" | "numbered", string>> = {
  name: "store-scores",
  text: upsert,
  numbered: upsert.replaceAll("?", () => `$${++parameters}`),
};

/** The values of the statement, in the order of its parameters. */
export function valuesOf(given: {
  /** The latest time at which it may begin, by the database's clock. */
  readonly latest: Date | "infinity" | "-infinity";
  /** How long to wait for a locked row, in milliseconds. */
  readonly lockMs: number;
  /** Which unregistered applications it refuses: none, those that it knows, or the unknown ones too. */
  readonly refused: "none" | "known" | "all";
  /** How many days before now a result may have been measured. */
  readonly oldestDays: number;
  /** The scores, as `sentRows` returns them. */
  readonly rows: string;
  /** Whether a result replaces a stored one of the same time of measurement. */
  readonly replacesSame: boolean;
  /** Whether changes are recorded. */
  readonly hasHistory: boolean;
  /** Whether changed scores are noted, so that what follows from them is announced. */
  readonly announces: boolean;
}): readonly Knex.Value[] {
  const { latest, lockMs, refused, oldestDays, rows, replacesSame, hasHistory, announces } = given;
  return [latest, String(lockMs), refused, oldestDays, rows, replacesSame, hasHistory, announces, hasHistory];
}
