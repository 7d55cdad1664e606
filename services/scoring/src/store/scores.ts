import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { hasCode } from "../model/errors.ts";
import type { OutOfRange } from "../model/measured-at.ts";
import type { Unregistered } from "../model/unregistered.ts";
import { type DatedEvidence, recordPast } from "./past-evidence.ts";
import { idleLimitMs } from "./patience.ts";
import { noteChanges } from "./reported-changes.ts";
import {
  changeAssignments,
  changeColumns,
  measuredAt,
  outOfRange,
  recordChanges,
  recordRepeats,
  repeatAssignment,
} from "./score-changes.ts";
import { createMetrics, createTargets, knownTarget, type MetricName, noteUses } from "./targets.ts";
import { execute, inTransaction, type Terms } from "./transaction.ts";
import { dayOf, firstMoment } from "./utc.ts";

/** The key of a score. */
export interface ScoreKey extends Target, MetricName {}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, with two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  /** When the result was measured, as RFC 3339; when it is reported if absent. */
  readonly measured_at?: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** A score without its key. */
export type Reported = Omit<NewScore, keyof ScoreKey | "measured_at">;

/** The columns of `scores` for a report, with their types. */
const reportedColumns: Readonly<Record<keyof Reported, string>> = {
  score: "numeric",
  raw: "jsonb",
  scorer: "text",
  pipeline_id: "text",
  project_repo: "text",
};

/** The key of a score as a text. */
export function scoreId({ area, team, app, env, scorecard, metric }: ScoreKey): string {
  return JSON.stringify([area, team, app, env, scorecard, metric]);
}

/** The result of storing the scores of one caller. */
export interface StoredScores {
  /** The latest time of their reports, by the database's clock. Each report of a key is later than the previous one. */
  readonly reportedAt: Date;
  /** The current names of their applications, in the order of the scores. */
  readonly names: readonly AppName[];
  /**
   * The indexes of scores whose application or environment is retired. If there are any, no score of the caller is
   * stored.
   */
  readonly retired: readonly { readonly index: number; readonly what: "app" | "env" }[];
  /**
   * The indexes of scores whose `measured_at` is out of range. If there are any, no score of the caller is stored.
   */
  readonly outOfRange: readonly { readonly index: number; readonly what: OutOfRange }[];
  /**
   * The indexes of scores of applications that nobody registered, where these are refused. If there are any, no score of
   * the caller is stored.
   */
  readonly unregistered: readonly number[];
  /** The indexes of scores that count once their application is registered. */
  readonly held: readonly number[];
  /** The indexes of scores that are older than the stored ones: they are in the history, and nothing else. */
  readonly past: readonly number[];
}

/**
 * Stores the scores of several callers over the previous ones, all or none, and records the changes. The last of
 * several scores with the same key counts. Callers with a score of anything retired are left out.
 *
 * @param callers each with at least one score
 */
export type StoreScores = (callers: readonly (readonly NewScore[])[], terms: Terms) => Promise<readonly StoredScores[]>;

/**
 * Creates the function that stores scores. One statement looks names up, stores and commits, in one round trip. If it
 * meets an unknown name, it stores nothing; then a transaction creates the unknown applications, targets and metrics,
 * and stores. If a target was merged since the look-up, its foreign key refuses the row, and the names are looked up
 * again.
 *
 * The statement carries the latest time at which it may begin: a delayed one stores nothing, because its caller may
 * have been refused.
 *
 * A result that was measured before the stored one never replaces it. The history of such results is written in a
 * transaction, as all results of a caller with several of them, those of former days, and those of the time of the stored one.
 *
 * @param historyDays for how many days changes of scores or scorers are recorded in `score_changes`
 * @param announces whether changed scores are noted, so that what follows from them is announced
 */
export function createScoreStore(
  knex: Knex,
  historyDays: number,
  unregistered: Unregistered = "accept",
  announces = false,
): StoreScores {
  const refused = unregistered === "refuse" ? "known" : "none";
  const hasHistory = historyDays > 0;
  const oldestDays = historyDays || 400;

  /** The database's clock minus that of this process at its last answer, in milliseconds. */
  let aheadMs: number | undefined;

  /**
   * Stores rows by one statement outside of a transaction. The statement stores nothing where it begins too late, so that it
   * is repeated after a stall of the database.
   */
  async function storeAtOnce(rows: string, { lockMs, signal }: Terms): Promise<FoundRow[]> {
    for (;;) {
      const latest = aheadMs === undefined ? "-infinity" : new Date(performance.now() + aheadMs + idleLimitMs);
      const values = [latest, String(lockMs), refused, oldestDays, rows, false, hasHistory, announces, hasHistory];
      const found = (await execute(knex, { name: statement, text: prepared, values }, signal)) as FoundRow[];
      aheadMs = Number(found[0]?.now) - performance.now();
      if (!found[0]?.is_late) return found;
    }
  }

  async function storeInTransaction(
    {
      rows,
      scores,
      isDated,
    }: { readonly rows: string; readonly scores: readonly NewScore[]; readonly isDated: boolean },
    unknown: readonly ScoreKey[],
    terms: Terms,
  ): Promise<FoundRow[]> {
    const { lockMs, signal } = terms;
    return inTransaction(knex, async (trx) => {
      if (unknown.length > 0) {
        await trx.raw(`SET LOCAL lock_timeout = ${Math.max(lockMs, creationMs)}`);
        await createTargets(trx, unknown, unregistered);
        await createMetrics(trx, unknown);
      }
      // What is unknown still was not created, because it is not registered.
      const refusedNow = refused === "known" && unknown.length > 0 ? "all" : refused;
      const values = [
        "infinity",
        String(lockMs),
        refusedNow,
        oldestDays,
        rows,
        true,
        hasHistory,
        announces,
        hasHistory,
      ];
      const { rows: found }: { rows: FoundRow[] } = await trx.raw(upsert, values).options({ name: statement });
      if (isDated && hasHistory && unknownOf(found).length === 0) await recordPast(trx, datedOf(found, scores));
      signal.throwIfAborted();
      return found;
    });
  }

  return async (callers, terms) => {
    const scores = callers.flat();
    const rows = sentRows(callers);
    const isDated = callers.some(needsPast);
    const scoresOf = (found: readonly FoundRow[]) => found.flatMap(({ index }) => scores[index ?? -1] ?? []);
    for (let tries = 1; ; tries++) {
      try {
        let found = await (terms.isPatient || isDated
          ? storeInTransaction({ rows, scores, isDated }, [], terms)
          : storeAtOnce(rows, terms));
        const unknown = scoresOf(unknownOf(found));
        if (unknown.length > 0 || (!isDated && found.some(({ is_past }) => is_past))) {
          found = await storeInTransaction({ rows, scores, isDated: true }, unknown, terms);
        }
        if (unknownOf(found).length > 0) throw new Error("a created name is not found");
        const unnoted = scoresOf(found.filter(({ is_unnoted, retired }) => is_unnoted && retired === null));
        // The reports are stored, whether their use of a former name is noted or not.
        if (unnoted.length > 0) await noteUses(knex, unnoted).catch(() => {});
        return answers(callers, found);
      } catch (error) {
        if (!isGone(error) || tries === maxTries) throw error;
      }
    }
  };
}

/** The rows of `sent` in the statement, as JSON, without further properties of scores such as their reasons. */
function sentRows(callers: readonly (readonly NewScore[])[]): string {
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

/** The number of attempts. Each further one needs another merge in between. */
const maxTries = 3;

/** Whether a foreign key refused a row, because its target was merged into another one. */
export function isGone(error: unknown): boolean {
  return hasCode(error, "23503");
}

/** How long to wait for transactions that create the same rows, in milliseconds. They commit soon. */
const creationMs = 200;

/**
 * A row of the statement's answer: a sent score, unless it was simply stored at `now`. The answer has at least one row.
 */
interface FoundRow {
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

/** How far the database's clock may differ from that of this process, in milliseconds. */
const skewMs = 300_000;

/** Whether the results of a caller are stored in a transaction, because they may belong to the past. */
function needsPast(scores: readonly NewScore[]): boolean {
  const today = new Date(Date.now() + skewMs).setUTCHours(0, 0, 0, 0);
  return scores.some(
    ({ measured_at: at }) => at !== undefined && (scores.length > 1 || new Date(at).getTime() < today),
  );
}

/** What to record of the past, in the order of arrival: the results with a time of their own, but for those that were not stored. */
function datedOf(found: readonly FoundRow[], scores: readonly NewScore[]): DatedEvidence[] {
  const arrived = found.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
  return arrived.flatMap(({ index, target_id, metric_id, is_past, retired, out_of_range, is_refused }) => {
    const { measured_at, score, scorer } = scores[index ?? -1] ?? {};
    if (!measured_at || score === undefined || !scorer || !target_id || !metric_id) return [];
    const isStored = !retired && !out_of_range && !is_refused;
    return isStored ? [{ target_id, metric_id, measured_at, score, scorer, is_past }] : [];
  });
}

function unknownOf(found: readonly FoundRow[]): FoundRow[] {
  const refused = new Set(
    found.filter((row) => (row.retired ?? row.out_of_range) || row.is_refused).map(({ caller }) => caller),
  );
  return found.filter(({ is_unknown, caller }) => is_unknown && !refused.has(caller));
}

function answers(callers: readonly (readonly NewScore[])[], found: readonly FoundRow[]): StoredScores[] {
  const rows = new Map(found.map((row) => [row.index, row]));
  const now = found[0]?.now as Date;
  let first = 0;
  return callers.map((scores) => {
    const callerRows = scores.map((_, index) => rows.get(first + index));
    first += scores.length;
    return {
      reportedAt: callerRows.reduce(
        (latest, row) => (row?.reported_at && row.reported_at > latest ? row.reported_at : latest),
        now,
      ),
      names: scores.map((score, index) => appName({ ...score, ...current(callerRows[index]) })),
      retired: callerRows.flatMap((row, index) => (row?.retired ? [{ index, what: row.retired }] : [])),
      outOfRange: callerRows.flatMap((row, index) => (row?.out_of_range ? [{ index, what: row.out_of_range }] : [])),
      unregistered: callerRows.flatMap((row, index) => (row?.is_refused ? [index] : [])),
      held: callerRows.flatMap((row, index) => (row?.is_held ? [index] : [])),
      past: callerRows.flatMap((row, index) => (row?.is_past ? [index] : [])),
    };
  });
}

/** The current name of an application, if the answer has it. */
function current({ area, team, app }: Partial<FoundRow> = {}): Partial<AppName> {
  return area && team && app ? { area, team, app } : {};
}

/** The time of a further report of a key, which is after a change by a merge, too. */
const nextTime =
  "greatest(excluded.reported_at, greatest(former.reported_at, former.changed_at) + interval '1 microsecond')";

/** The time of a change: that of the measurement, but after the last change. */
const changeTime = `CASE
    WHEN excluded.measured_at IS NULL THEN ${nextTime}
    ELSE greatest(excluded.measured_at, former.changed_at + interval '1 microsecond')
  END`;

const columns = Object.keys(reportedColumns) as (keyof Reported)[];
const listed = columns.join(", ");
const typed = Object.entries(reportedColumns).map((column) => column.join(" "));

/**
 * Rows are stored in the order of their ids, so that two statements never deadlock. Most get the time of the statement.
 * Rows with a later time from another writer get the next microsecond, and are listed.
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
    LEFT JOIN LATERAL (${knownTarget("sent")}) AS known ON true
  ),
  refused AS (SELECT caller FROM sent WHERE retired IS NOT NULL OR out_of_range IS NOT NULL OR is_refused),
  latest AS MATERIALIZED (
    SELECT DISTINCT ON (target_id, metric_id) target_id, metric_id, ${listed}, now, measured_at, index
    FROM moment, sent
    WHERE NOT is_late
      AND NOT EXISTS (SELECT FROM sent WHERE is_unknown AND caller NOT IN (SELECT caller FROM refused))
      AND caller NOT IN (SELECT caller FROM refused)
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
      ${repeatAssignment(measuredAt("excluded"))},
      ${changeAssignments(changeTime)}
    WHERE excluded.measured_at IS NULL OR excluded.measured_at > ${measuredAt("former")}
      OR (?::boolean AND excluded.measured_at = ${measuredAt("former")})
    RETURNING ${changeColumns}
  ),
  recorded AS (${recordChanges("?::boolean")}),
  noted AS (${noteChanges("?::boolean")}),
  repeated AS (${recordRepeats("?::boolean")})
  SELECT now, is_late, index, caller, reported_at, is_unknown, retired, out_of_range, is_unnoted, area, team, app,
    target_id, metric_id, is_past, is_refused, is_held
  FROM moment LEFT JOIN (
    SELECT sent.*, later.reported_at, later.changed_at, sent.measured_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM latest JOIN stored USING (target_id, metric_id) WHERE latest.index = sent.index
    ) AS is_past
    FROM sent LEFT JOIN (
      SELECT target_id, metric_id, CASE WHEN reported_at > now THEN reported_at END AS reported_at, changed_at
      FROM moment, stored WHERE reported_at > now OR changed_at > measured_at
    ) AS later USING (target_id, metric_id)
  ) AS sent ON is_unknown OR retired IS NOT NULL OR out_of_range IS NOT NULL OR is_former OR is_past OR is_refused OR is_held
    OR measured_at < ${firstMoment(dayOf("now"))} OR sent.reported_at IS NOT NULL
    OR sent.changed_at > measured_at
`;

const statement = "store-scores";
let parameters = 0;
const prepared = upsert.replaceAll("?", () => `$${++parameters}`);
