import type { changeCauses } from "./score-changes.ts";

/** A change of a score. Times are in microseconds since 1970. */
export interface Change {
  readonly at: number;
  /** The time of the last evidence of the former score; null if there was none. */
  readonly formerAt: number | null;
  /** The score before; null if there was none. */
  readonly former: number | null;
  readonly score: number;
  readonly scorer: string;
  readonly cause: (typeof changeCauses)[number];
}

/** A result that was measured before the latest one. */
export interface PastEvidence {
  readonly at: number;
  readonly score: number;
  readonly scorer: string;
}

/** The changes of a score with past evidence among them. */
export interface Filled {
  readonly changes: readonly Change[];
  /** The time in which the score has become another one; absent if it has not. The end does not belong to it. */
  readonly rewritten?: { readonly from: number; readonly to: number };
}

/**
 * Adds past evidence to the changes of a score, if that keeps them true. Between the first and the last evidence of a
 * score other results may have confirmed it, which nothing records, so evidence of that time changes nothing.
 *
 * @param changes in the order of their times; at least one. All evidence after the last of them confirmed its score
 */
export function fillIn(changes: readonly Change[], evidence: PastEvidence): Filled {
  const { at, score, scorer } = evidence;
  const after = changes.findIndex((change) => change.at > at);
  const next = changes[after];
  const run = changes[after === -1 ? changes.length - 1 : after - 1];
  if (!next) return { changes };
  const value = run?.score ?? next.former;
  const last = next.formerAt ?? run?.at ?? Number.NEGATIVE_INFINITY;
  const isAlone = run !== undefined && run.at === at && last === at;
  if (value !== null && at <= last && !isAlone) return { changes };
  const others = { before: changes.slice(0, isAlone ? after - 1 : after), behind: changes.slice(after + 1) };
  const former = isAlone ? run.former : value;
  const formerAt = isAlone ? run.formerAt : value === null ? null : last;
  const replace = (...changed: readonly Change[]) => [...others.before, ...changed, ...others.behind];
  if (score === former) {
    const changes = replace({ ...next, former, formerAt: at });
    return isAlone ? { changes, rewritten: { from: at, to: next.at } } : { changes };
  }
  const isEvidence = next.cause === "report" || next.cause === "backfill";
  const added: Change = { at, formerAt, former, score, scorer, cause: "backfill" };
  return {
    changes:
      isEvidence && next.score === score ? replace(added) : replace(added, { ...next, former: score, formerAt: at }),
    rewritten: { from: at, to: next.at },
  };
}
