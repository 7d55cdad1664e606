import { checkCount, type InOrder } from "./by-metric.ts";
import { type Level, type LevelFacts, type LevelledApp, type Unmet, unmetOf } from "./level-conditions.ts";
import type { DatedScore } from "./roll-up.ts";
import type { WeighedScorecard } from "./scorecard.ts";

/** The level of an application. */
export interface AppLevel {
  /** 1 for the lowest level; 0 if it has none. */
  readonly rank: number;
  /** Null if it has none. */
  readonly name: string | null;
  /** The level above, and its first condition that does not hold; null for the highest level. */
  readonly next: { readonly name: string; readonly unmet: string } | null;
}

/** The indexes of metrics in the order of the scorecards and their metrics. */
interface Indexes {
  /** How many metrics there are. */
  readonly count: number;
  /** By `scorecard.metric`. */
  readonly metrics: ReadonlyMap<string, number>;
  /** Those of all metrics of a scorecard, by its name. */
  readonly scorecards: ReadonlyMap<string, readonly number[]>;
}

const knownIndexes = new WeakMap<readonly WeighedScorecard[], Indexes>();

function indexesIn(scorecards: readonly WeighedScorecard[]): Indexes {
  const known = knownIndexes.get(scorecards);
  if (known) return known;
  const [byMetric, byScorecard] = [new Map<string, number>(), new Map<string, readonly number[]>()];
  let count = 0;
  for (const { name, metrics } of scorecards) {
    const own = metrics.map(() => count++);
    for (const [at, metric] of metrics.entries()) byMetric.set(`${name}.${metric.name}`, own[at] ?? 0);
    byScorecard.set(name, own);
  }
  const indexes = { count, metrics: byMetric, scorecards: byScorecard };
  knownIndexes.set(scorecards, indexes);
  return indexes;
}

/**
 * The facts of an application that levels need beside its roll-up. They are looked up when a level needs them.
 *
 * @param scores one entry for each metric, in the order of the scorecards and their metrics, as `rollUpInOrder` takes them
 * @param excluded in the same order, what keeps each metric from counting; empty if nothing does
 * @param problems how many are open
 * @throws RangeError when there are more entries or fewer
 */
export function levelFacts(
  scorecards: readonly WeighedScorecard[],
  scores: InOrder<DatedScore>,
  excluded: readonly (object | undefined)[],
  problems: LevelFacts["problems"],
): LevelFacts {
  const indexes = indexesIn(scorecards);
  checkCount(indexes.count, scores);
  if (excluded.length > 0) checkCount(indexes.count, excluded);
  const isExcluded = (index: number) => excluded[index] !== undefined;
  return {
    scores: {
      get(metric) {
        const index = indexes.metrics.get(metric);
        return index === undefined || isExcluded(index) ? undefined : scores.at(index)?.score;
      },
    },
    excluded: {
      has(name) {
        const index = indexes.metrics.get(name);
        return index === undefined ? (indexes.scorecards.get(name)?.every(isExcluded) ?? false) : isExcluded(index);
      },
    },
    problems,
  };
}

/**
 * The level of an application: the highest whose conditions hold, with those of every level below. A
 * condition on a metric or a scorecard that is waived or exempt holds, as it would if that was not installed; `maxWaived`
 * says how much a level takes of what is waived.
 *
 * @param app its roll-up
 * @param levels the lowest first
 * @returns null if there are no levels
 */
export function levelOf(app: LevelledApp, facts: LevelFacts, levels: readonly Level[]): AppLevel | null {
  if (levels.length === 0) return null;
  let reached: string | null = null;
  for (const [rank, level] of levels.entries()) {
    const [unmet] = unmetOf(app, facts, level);
    if (unmet) return { rank, name: reached, next: { name: level.name, unmet: `${level.name} ${unmet.text}` } };
    reached = level.name;
  }
  return { rank: levels.length, name: reached, next: null };
}

/** What an application lacks for a level. */
export interface Lacks {
  /** The name of the level. */
  readonly level: string;
  /**
   * The conditions of the level, and of all levels below it, that do not hold. Of several about the same thing only that
   * which lacks most is there. Empty if it has the level.
   */
  readonly conditions: readonly Unmet[];
  /** The sum of what the conditions lack, as `missing` of each of them has it. */
  readonly missing: number;
}

/**
 * What an application lacks for the level of a rank: for its next level, or for a higher one.
 *
 * @param app its roll-up
 * @param levels the lowest first
 * @param rank 1 for the lowest level
 * @returns null if there is no level of this rank
 */
export function lacksOf(app: LevelledApp, facts: LevelFacts, levels: readonly Level[], rank: number): Lacks | null {
  const level = levels[rank - 1];
  if (!level) return null;
  const most = new Map<string, Unmet>();
  for (const one of levels.slice(0, rank)) {
    for (const unmet of unmetOf(app, facts, one)) {
      const key = `${unmet.kind} ${unmet.name}`;
      if (unmet.missing >= (most.get(key)?.missing ?? 0)) most.set(key, unmet);
    }
  }
  const conditions = [...most.values()];
  return { level: level.name, conditions, missing: conditions.reduce((sum, { missing }) => sum + missing, 0) };
}
