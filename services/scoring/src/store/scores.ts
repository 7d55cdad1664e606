import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { hasCode } from "../model/errors.ts";
import { idleLimitMs } from "./patience.ts";
import { changeAssignments, changeColumns, recordChanges } from "./score-changes.ts";
import { knownTarget, type MetricName, makeMetrics, makeTargets, noteUses } from "./targets.ts";
import { execute, inTransaction, type Terms } from "./transaction.ts";

/** The key of a score. */
export interface ScoreKey extends Target, MetricName {}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, with two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** What a report says of a score, beside its key. */
export type Reported = Omit<NewScore, keyof ScoreKey>;

/** The columns of `scores` that hold it, by their types. What copies a score takes them from here. */
const reportedColumns: Readonly<Record<keyof Reported, string>> = {
  score: "numeric",
  raw: "jsonb",
  scorer: "text",
  pipeline_id: "text",
  project_repo: "text",
};

/** A text that differs between the keys of any two scores. */
export function scoreId({ area, team, app, env, scorecard, metric }: ScoreKey): string {
  return JSON.stringify([area, team, app, env, scorecard, metric]);
}

/** What became of the scores of one caller. */
export interface StoredScores {
  /** The latest time of their reports. Times come from the database's clock; each report of a key is later than the one before. */
  readonly reportedAt: Date;
  /** The names that their applications have now, in the order of the scores. */
  readonly names: readonly AppName[];
  /** The indexes of the scores whose application or environment is retired. If there are any, none of the caller is stored. */
  readonly retired: readonly { readonly index: number; readonly what: "app" | "env" }[];
}

/**
 * Stores the scores of some callers in place of the previous ones of their keys, all or none, with a record of what changed.
 * If several have the same key, the last one counts. Those of a caller who reports of anything retired are left out.
 *
 * @param callers each with at least one score
 */
export type StoreScores = (callers: readonly (readonly NewScore[])[], terms: Terms) => Promise<readonly StoredScores[]>;

/**
 * One statement looks the names up, stores and commits, so this takes one round trip to the database. If it does not know a
 * name, it stores nothing; then a transaction makes the applications, targets and metrics that are unknown, and stores. A
 * target that was merged into another one since the statement looked is refused by its foreign key; then the names are looked
 * up again.
 *
 * A statement that is held up on its way stores nothing, because its caller may have been refused by then: it carries the
 * latest time at which it may begin.
 *
 * @param hasHistory Is a change of the score or its scorer recorded in `score_changes`?
 */
export function createScoreStore(knex: Knex, hasHistory: boolean): StoreScores {
  /** How far the database's clock was ahead of that of this process at its last answer, in milliseconds. */
  let aheadMs: number | undefined;

  async function storeAtOnce(rows: string, { lockMs, signal }: Terms): Promise<FoundRow[]> {
    for (;;) {
      const latest = aheadMs === undefined ? "-infinity" : new Date(performance.now() + aheadMs + idleLimitMs);
      const values = [latest, String(lockMs), rows, hasHistory];
      const found = (await execute(knex, { name: statement, text: prepared, values }, signal)) as FoundRow[];
      aheadMs = Number(found[0]?.now) - performance.now();
      if (!found[0]?.is_late) return found;
    }
  }

  async function storeInTransaction(rows: string, unknown: readonly ScoreKey[], terms: Terms): Promise<FoundRow[]> {
    const { lockMs, signal } = terms;
    return inTransaction(knex, async (trx) => {
      if (unknown.length > 0) {
        await trx.raw(`SET LOCAL lock_timeout = ${Math.max(lockMs, makingMs)}`);
        await makeTargets(trx, unknown);
        await makeMetrics(trx, unknown);
      }
      const values = ["infinity", String(lockMs), rows, hasHistory];
      const { rows: found } = await trx.raw(upsert, values).options({ name: statement });
      signal.throwIfAborted();
      return found;
    });
  }

  return async (callers, terms) => {
    const scores = callers.flat();
    const rows = sentRows(callers);
    const those = (found: readonly FoundRow[]) => found.flatMap(({ index }) => scores[index ?? -1] ?? []);
    for (let tries = 1; ; tries++) {
      try {
        let found = await (terms.isPatient ? storeInTransaction(rows, [], terms) : storeAtOnce(rows, terms));
        const unknown = those(unknownOf(found));
        if (unknown.length > 0) found = await storeInTransaction(rows, unknown, terms);
        if (unknownOf(found).length > 0) throw new Error("what was made is not found");
        const unnoted = those(found.filter(({ is_unnoted, retired }) => is_unnoted && retired === null));
        // The reports are stored, whether their use of a former name is noted or not.
        if (unnoted.length > 0) await noteUses(knex, unnoted).catch(() => {});
        return answers(callers, found);
      } catch (error) {
        if (!isGone(error) || tries === maxTries) throw error;
      }
    }
  };
}

/** The rows of `sent` in the statement, as JSON. A caller's scores may have further properties, as their reasons; they stay here. */
function sentRows(callers: readonly (readonly NewScore[])[]): string {
  let index = 0;
  const rows = callers.flatMap((scores, caller) =>
    scores.map((score) => {
      const { area, team, app, env, scorecard, metric } = score;
      const row: Record<string, unknown> = { index: index++, caller, area, team, app, env, scorecard, metric };
      for (const column of columns) row[column] = score[column];
      return row;
    }),
  );
  return JSON.stringify(rows);
}

/** How often names are looked up again. Each time another merge must have come in between. */
const maxTries = 3;

/** Did a foreign key refuse a row, because its target was merged into another one? */
export function isGone(error: unknown): boolean {
  return hasCode(error, "23503");
}

/** How long to wait for others that make the same, in milliseconds: they commit soon, and then all of it is known. */
const makingMs = 200;

/** A row of the statement's answer: a sent score that is not just stored at `now`. The answer has one row at least. */
interface FoundRow {
  /** The time at which the statement began. */
  readonly now: Date;
  /** Did it begin too late? Then it stored nothing. */
  readonly is_late: boolean;
  /** The index of the score; null if there is none of this kind. */
  readonly index: number | null;
  readonly caller: number;
  /** When the score was reported, if that is after `now`. */
  readonly reported_at: Date | null;
  /** Is the target or the metric unknown? Then nothing was stored, unless its caller was left out anyway. */
  readonly is_unknown: boolean;
  readonly retired: "app" | "env" | null;
  /** Is it reported by a former name, the use of which is to be noted? */
  readonly is_unnoted: boolean;
  /** The name of the application now; null if it is unknown. */
  readonly area: string | null;
  readonly team: string | null;
  readonly app: string | null;
}

function unknownOf(found: readonly FoundRow[]): FoundRow[] {
  const refused = new Set(found.filter(({ retired }) => retired !== null).map(({ caller }) => caller));
  return found.filter(({ is_unknown, caller }) => is_unknown && !refused.has(caller));
}

function answers(callers: readonly (readonly NewScore[])[], found: readonly FoundRow[]): StoredScores[] {
  const rows = new Map(found.map((row) => [row.index, row]));
  const now = found[0]?.now as Date;
  let first = 0;
  return callers.map((scores) => {
    const own = scores.map((_, index) => rows.get(first + index));
    first += scores.length;
    return {
      reportedAt: own.reduce(
        (latest, row) => (row?.reported_at && row.reported_at > latest ? row.reported_at : latest),
        now,
      ),
      names: scores.map((score, index) => appName({ ...score, ...current(own[index]) })),
      retired: own.flatMap((row, index) => (row?.retired ? [{ index, what: row.retired }] : [])),
    };
  });
}

/** The name that an application has now, if the answer has it. */
function current({ area, team, app }: Partial<FoundRow> = {}): Partial<AppName> {
  return area && team && app ? { area, team, app } : {};
}

/** The time of a further report of a key. A merge may have changed it after its last report. */
const nextTime =
  "greatest(excluded.reported_at, greatest(former.reported_at, former.changed_at) + interval '1 microsecond')";

const columns = Object.keys(reportedColumns) as (keyof Reported)[];
const listed = columns.join(", ");
const typed = Object.entries(reportedColumns).map((column) => column.join(" "));

/**
 * Rows are stored in the order of their ids, so that two statements never deadlock. Most get the time of the statement. Rows
 * to which another writer gave a later time get the next microsecond, and are listed.
 */
const upsert = `
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp() AS now, clock_timestamp() > ?::timestamptz AS is_late, set_config('lock_timeout', ?::text, true)
  ),
  sent AS MATERIALIZED (
    SELECT index, caller, ${listed}, metrics.id AS metric_id, known.*,
      known.target_id IS NULL OR metrics.id IS NULL AS is_unknown
    FROM json_to_recordset(?::json) AS sent (
      index int, caller int, area text, team text, app text, env text, scorecard text, metric text,
      ${typed.join(", ")}
    )
    LEFT JOIN metrics ON (metrics.scorecard, metrics.metric) = (sent.scorecard, sent.metric)
    LEFT JOIN LATERAL (${knownTarget("sent")}) AS known ON true
  ),
  refused AS (SELECT caller FROM sent WHERE retired IS NOT NULL),
  stored AS (
    INSERT INTO scores AS former
      (target_id, metric_id, ${listed}, reported_at, changed_at)
    SELECT DISTINCT ON (target_id, metric_id)
      target_id, metric_id, ${listed}, now, now
    FROM moment, sent
    WHERE NOT is_late
      AND NOT EXISTS (SELECT FROM sent WHERE is_unknown AND caller NOT IN (SELECT caller FROM refused))
      AND caller NOT IN (SELECT caller FROM refused)
    ORDER BY target_id, metric_id, index DESC
    ON CONFLICT (target_id, metric_id) DO UPDATE SET
      ${columns.map((column) => `${column} = excluded.${column}`).join(", ")},
      reported_at = ${nextTime},
      ${changeAssignments(nextTime)}
    RETURNING ${changeColumns}
  ),
  recorded AS (${recordChanges} AND ?::boolean)
  SELECT now, is_late, index, caller, later.reported_at, is_unknown, retired, is_unnoted, area, team, app
  FROM moment LEFT JOIN (
    sent LEFT JOIN (
      SELECT target_id, metric_id, reported_at FROM moment, stored WHERE reported_at > now
    ) AS later USING (target_id, metric_id)
  ) ON is_unknown OR retired IS NOT NULL OR is_former OR later.reported_at IS NOT NULL
`;

const statement = "store-scores";
let parameters = 0;
const prepared = upsert.replaceAll("?", () => `$${++parameters}`);
