import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { hasCode } from "../model/errors.ts";
import type { Unregistered } from "../model/unregistered.ts";
import type { NewScore } from "./new-score.ts";
import { type DatedEvidence, recordPast } from "./past-evidence.ts";
import { idleLimitMs } from "./patience.ts";
import { type FoundRow, sentRows, statement, valuesOf } from "./score-statement.ts";
import { createMetrics, createTargets, noteUses } from "./targets.ts";
import { execute, inTransaction, type Terms } from "./transaction.ts";

/** What became of a score, with the current name of its application. Of one that was simply stored nothing else is known. */
export interface StoredScore extends Partial<FoundRow> {
  readonly name: AppName;
}

/**
 * The result of storing the scores of one caller. If one of them is retired, out of range or refused, none of them is
 * stored.
 */
export interface StoredScores {
  /** The latest time of their submissions, by the database's clock. Each submission of a key is later than the previous one. */
  readonly reportedAt: Date;
  readonly scores: readonly StoredScore[];
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
  const always = { oldestDays: historyDays || 400, hasHistory, announces };

  /** The database's clock minus that of this process at its last answer, in milliseconds. */
  let aheadMs: number | undefined;

  /**
   * Stores rows by one statement outside of a transaction. The statement stores nothing where it begins too late, so that it
   * is repeated after a stall of the database.
   */
  async function storeAtOnce(rows: string, { lockMs, signal }: Terms): Promise<FoundRow[]> {
    for (;;) {
      const latest = aheadMs === undefined ? "-infinity" : new Date(performance.now() + aheadMs + idleLimitMs);
      const values = valuesOf({ ...always, latest, lockMs, refused, rows, replacesSame: false });
      const query = { name: statement.name, text: statement.numbered, values };
      const found = (await execute(knex, query, signal)) as FoundRow[];
      aheadMs = Number(found[0]?.now) - performance.now();
      if (!found[0]?.is_late) return found;
    }
  }

  /**
   * Stores rows in a transaction, which first creates what is unknown, and then records the past. If it created anything for a
   * caller that is refused, it stores nothing of any caller.
   */
  async function storeInTransaction(
    sent: { readonly rows: string; readonly scores: readonly NewScore[]; readonly isDated: boolean },
    unknown: readonly FoundRow[],
    { lockMs, signal }: Terms,
  ): Promise<FoundRow[]> {
    return inTransaction(knex, async (trx) => {
      if (unknown.length > 0) {
        await trx.raw(`SET LOCAL lock_timeout = ${Math.max(lockMs, creationMs)}`);
        const keys = scoresOf(unknown, sent.scores);
        await createTargets(trx, keys, unregistered);
        await createMetrics(trx, keys);
      }
      // What is unknown still was not created, because it is not registered.
      const refusedNow = refused === "known" && unknown.length > 0 ? "all" : refused;
      const terms = { latest: "infinity", lockMs, refused: refusedNow, rows: sent.rows, replacesSame: true } as const;
      const { rows: found }: { rows: FoundRow[] } = await trx
        .raw(statement.text, valuesOf({ ...always, ...terms }))
        .options({ name: statement.name });
      if (isCreatedInVain(unknown, found)) await trx.raw("ROLLBACK AND CHAIN");
      else if (sent.isDated && hasHistory && unknownOf(found).length === 0) {
        await recordPast(trx, datedOf(found, sent.scores));
      }
      signal.throwIfAborted();
      return found;
    });
  }

  const store: StoreScores = async (callers, terms) => {
    const scores = callers.flat();
    const rows = sentRows(callers);
    const isDated = callers.some(needsPast);
    for (let tries = 1; ; tries++) {
      try {
        let found = await (terms.isPatient || isDated
          ? storeInTransaction({ rows, scores, isDated }, [], terms)
          : storeAtOnce(rows, terms));
        const unknown = unknownOf(found);
        if (unknown.length > 0 || (!isDated && found.some(({ is_past }) => is_past))) {
          found = await storeInTransaction({ rows, scores, isDated: true }, unknown, terms);
        }
        if (isCreatedInVain(unknown, found)) return await storeOthers(callers, found, terms);
        if (unknownOf(found).length > 0) throw new Error("a created name is not found");
        const unnoted = scoresOf(
          found.filter(({ is_unnoted, retired }) => is_unnoted && retired === null),
          scores,
        );
        // The results are stored, whether their use of a former name is noted or not.
        if (unnoted.length > 0) await noteUses(knex, unnoted).catch(() => {});
        return answers(callers, found);
      } catch (error) {
        if (!isGone(error) || tries === maxTries) throw error;
      }
    }
  };

  /** Stores the scores of the callers that are not refused. The others have the answers that were found. */
  async function storeOthers(
    callers: readonly (readonly NewScore[])[],
    found: readonly FoundRow[],
    terms: Terms,
  ): Promise<StoredScores[]> {
    const refused = refusedOf(found);
    const others = callers.filter((_, caller) => !refused.has(caller));
    const stored = others.length > 0 ? [...(await store(others, terms))] : [];
    return answers(callers, found).map((answer, caller) => (refused.has(caller) ? answer : (stored.shift() ?? answer)));
  }

  return store;
}

/** The number of attempts. Each further one needs another merge in between. */
const maxTries = 3;

/** Whether a foreign key refused a row, because its target was merged into another one. */
export function isGone(error: unknown): boolean {
  return hasCode(error, "23503");
}

/** How long to wait for transactions that create the same rows, in milliseconds. They commit soon. */
const creationMs = 200;

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

/** The callers that are refused. */
function refusedOf(found: readonly FoundRow[]): ReadonlySet<number> {
  return new Set(
    found.filter((row) => (row.retired ?? row.out_of_range) || row.is_refused).map(({ caller }) => caller),
  );
}

/** Whether any of the unknown rows was created for a caller that is refused. What is not registered itself was not. */
function isCreatedInVain(unknown: readonly FoundRow[], found: readonly FoundRow[]): boolean {
  const refused = refusedOf(found);
  const left = new Set(found.filter(({ is_refused }) => is_refused).map(({ index }) => index));
  return unknown.some(({ caller, index }) => refused.has(caller) && !left.has(index));
}

function unknownOf(found: readonly FoundRow[]): FoundRow[] {
  const refused = refusedOf(found);
  return found.filter(({ is_unknown, caller }) => is_unknown && !refused.has(caller));
}

function scoresOf(found: readonly FoundRow[], scores: readonly NewScore[]): NewScore[] {
  return found.flatMap(({ index }) => scores[index ?? -1] ?? []);
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
      scores: scores.map((score, index) => ({
        ...callerRows[index],
        name: appName({ ...score, ...current(callerRows[index]) }),
      })),
    };
  });
}

/** The current name of an application, if the answer has it. */
function current({ area, team, app }: Partial<FoundRow> = {}): Partial<AppName> {
  return area && team && app ? { area, team, app } : {};
}
