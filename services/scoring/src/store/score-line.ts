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

/** All that is known of the past of a score. */
export interface ScoreLine {
  /** In the order of their times; at least one. */
  readonly changes: readonly Change[];
  /** When further results confirmed the score of their time, apart from those of `formerAt` and `measuredAt`. */
  readonly confirmed: readonly number[];
  /** When the latest result was measured; null if later changes follow the line. */
  readonly measuredAt: number | null;
}

/** A line with past evidence in it. */
export interface Filled {
  readonly line: ScoreLine;
  /** The times in which the score has become another one. The end does not belong to them; null if it goes on. */
  readonly rewritten: readonly { readonly from: number; readonly to: number | null }[];
}

/** A known result, or a change that was none. */
interface Point extends PastEvidence {
  /** Absent if the score was only confirmed. */
  readonly cause?: Change["cause"];
}

/**
 * Adds past evidence to the line of a score. The line is made anew of all known results, so it does not depend on the
 * order in which they come.
 *
 * @param evidence in the order of its times, each before `measuredAt`, and of one time at most one
 * @param replaced the time of an earlier result that the latest one takes the place of, because it has the same time
 */
export function fillIn(line: ScoreLine, evidence: readonly PastEvidence[], replaced?: number): Filled {
  const points = pointsOf(line);
  const rewritten: { from: number; to: number | null }[] = [];
  if (replaced !== undefined && takePlace(points, replaced)) rewritten.push({ from: replaced, to: null });
  const start = startOf(line);
  for (const one of evidence) {
    const index = firstFrom(points, one.at);
    const [before, same, next] = [points[index - 1] ?? start, points[index], points[index + 1]];
    const isKnown = same?.at === one.at;
    if (isKnown && (isFixed(same) || same.score === one.score)) continue;
    const after = isKnown ? next : same;
    if ((isKnown ? same.score : before.score) !== one.score) rewritten.push({ from: one.at, to: after?.at ?? null });
    // A newer scorer that gives the score of its neighbours makes no change of it.
    const neighbour = before.score === one.score ? before : after;
    const scorer =
      neighbour?.score === one.score && !(neighbour === after && isFixed(after)) ? neighbour.scorer : one.scorer;
    points.splice(index, isKnown ? 1 : 0, { ...one, scorer, cause: "backfill" });
  }
  return { line: lineOf(points, start, line), rewritten };
}

/** What was known before the first change. */
interface Start {
  readonly at: number | null;
  readonly score: number | null;
  readonly scorer: string;
}

function startOf({ changes: [first] }: ScoreLine): Start {
  if (!first) throw new Error("a score without a change");
  // Its scorer is unknown, but not that of a change that named the score.
  const scorer = first.former === first.score ? "" : first.scorer;
  return { at: null, score: first.former, scorer };
}

/** A replay or a merge gave the score its value of that time, whatever results say. */
function isFixed({ cause }: Pick<Point, "cause">): boolean {
  return cause === "rules" || cause === "move";
}

/** The index of the first point that is not before a time. */
function firstFrom(points: readonly Point[], at: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pointsOf(line: ScoreLine): Point[] {
  const { changes, confirmed, measuredAt } = line;
  const start = startOf(line);
  const ends = changes.flatMap(({ formerAt, former }, index) =>
    formerAt === null || former === null || formerAt <= (changes[index - 1]?.at ?? Number.NEGATIVE_INFINITY)
      ? []
      : [formerAt],
  );
  // A replay changes a score after its evidence.
  const last = measuredAt !== null && measuredAt > (changes.at(-1)?.at ?? 0) ? [measuredAt] : [];
  const times = [...new Set([...confirmed, ...ends, ...last])].sort((a, b) => a - b);
  const points: Point[] = [];
  let next = 0;
  for (const at of [...times, Number.POSITIVE_INFINITY]) {
    for (let change = changes[next]; change && change.at <= at; change = changes[++next]) {
      const { score, scorer, cause } = change;
      points.push({ at: change.at, score, scorer, cause });
    }
    const { score, scorer } = points.at(-1) ?? start;
    if (Number.isFinite(at) && score !== null && points.at(-1)?.at !== at) points.push({ at, score, scorer });
  }
  return points;
}

/** Gives the last change, which came a microsecond after another result of its time, this time. Says whether there were both. */
function takePlace(points: Point[], at: number): boolean {
  const index = firstFrom(points, at);
  const [former, latest] = points.slice(index);
  if (former?.at !== at || latest?.at !== at + 1 || isFixed(former) || isFixed(latest)) return false;
  points.splice(index, 2, { ...latest, at });
  return true;
}

function lineOf(points: readonly Point[], start: Start, line: ScoreLine): ScoreLine {
  const {
    changes: [first],
    measuredAt,
  } = line;
  const changes: Change[] = [];
  const named = new Set<number | null>([measuredAt]);
  let before: Start = start.score === null ? start : { ...start, at: first?.formerAt ?? null };
  for (const point of points) {
    const { at, score, scorer, cause } = point;
    if (isFixed(point) || score !== before.score || scorer !== before.scorer) {
      const formerAt = before.score === null ? null : before.at;
      const made = { at, formerAt, former: before.score, score, scorer: scorer || (first?.scorer ?? "") };
      changes.push({ ...made, cause: cause ?? "backfill" });
      named.add(at).add(formerAt);
    }
    before = { at, score, scorer };
  }
  // What is older than the history may have the score of now.
  if (changes.length === 0) return line;
  return { changes, confirmed: points.flatMap(({ at }) => (named.has(at) ? [] : [at])), measuredAt };
}
