import { checkCount } from "./by-metric.ts";
import type { AppScore, DatedScore } from "./roll-up.ts";
import { roundHalfUp } from "./rounding.ts";
import type { WeighedScorecard } from "./scorecard.ts";
import { type Severity, severities } from "./severity.ts";

/** A level, such as silver, with its conditions. An absent condition always holds. */
export interface Level {
  readonly name: string;
  /** The lowest score of the application, from 0 to 100. */
  readonly minScore?: number;
  /** The lowest share fresh of the application, from 0 to 1. */
  readonly minFresh?: number;
  /** The lowest scores of scorecards, by name. */
  readonly scorecards?: Readonly<Record<string, number>>;
  /** The lowest scores of metrics, by `scorecard.metric`. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** No problem of this severity or a graver severity may be open. */
  readonly noOpenProblems?: Severity;
  /** The largest share of the weight that may be waived, from 0 to 1. */
  readonly maxWaived?: number;
}

/** The facts of an application that levels need beside its roll-up. */
export interface LevelFacts {
  /** The score of each metric that reported and counts, by `scorecard.metric`. */
  readonly scores: Pick<ReadonlyMap<string, number>, "get">;
  /**
   * The metrics that do not count, being waived or exempt, as `scorecard.metric`, and the scorecards of which no metric
   * counts, by name.
   */
  readonly excluded: Pick<ReadonlySet<string>, "has">;
  /** Number of open problems, by severity. */
  readonly problems: Readonly<Record<Severity, number>>;
}

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
  scores: readonly (DatedScore | undefined)[],
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
        const index = indexes.metrics.get(metric) ?? -1;
        return isExcluded(index) ? undefined : scores[index]?.score;
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
 * condition on a metric or a scorecard that is waived or exempt holds, as it would if that was not registered; `maxWaived`
 * says how much a level takes of what is waived.
 *
 * @param app its roll-up
 * @param levels the lowest first
 * @returns null if there are no levels
 */
export function levelOf(
  app: Pick<AppScore, "score" | "fresh" | "waived" | "scorecards">,
  facts: LevelFacts,
  levels: readonly Level[],
): AppLevel | null {
  if (levels.length === 0) return null;
  let reached: string | null = null;
  for (const [rank, level] of levels.entries()) {
    const unmet = firstUnmet(app, facts, level);
    if (unmet !== undefined) {
      return { rank, name: reached, next: { name: level.name, unmet: `${level.name} ${unmet}` } };
    }
    reached = level.name;
  }
  return { rank: levels.length, name: reached, next: null };
}

/** How far a score or a share may miss its bound: averages of the same numbers differ by less, in Prometheus and here. */
const tolerance = 1e-9;

/** The first condition that does not hold: what it needs, and what there is. */
function firstUnmet(
  { score, fresh, waived, scorecards }: Parameters<typeof levelOf>[0],
  facts: LevelFacts,
  { minScore = 0, minFresh = 0, scorecards: cards = {}, metrics = {}, noOpenProblems, maxWaived = 1 }: Level,
): string | undefined {
  if (isBelow(score, minScore)) return `needs score ${minScore}, has ${below(score, minScore)}`;
  if (isBelow(fresh, minFresh)) {
    return `needs share fresh ${minFresh}, has ${below(fresh, minFresh)}`;
  }
  for (const [name, minimum] of Object.entries(cards)) {
    const card = scorecards.find(({ scorecard }) => scorecard === name);
    if (card && isBelow(card.score, minimum)) return `needs ${name} ${minimum}, has ${below(card.score, minimum)}`;
    if (!card && !facts.excluded.has(name)) return `needs ${name} ${minimum}, has reported nothing of it`;
  }
  for (const [name, minimum] of Object.entries(metrics)) {
    if (facts.excluded.has(name)) continue;
    const found = facts.scores.get(name);
    if (found === undefined) return `needs ${name} ${minimum}, has never reported it`;
    if (isBelow(found, minimum)) return `needs ${name} ${minimum}, has ${below(found, minimum)}`;
  }
  const grave = graveAs(noOpenProblems);
  const open = grave.reduce((sum, severity) => sum + facts.problems[severity], 0);
  if (open > 0) return `needs no open problem that is ${grave.join(" or ")}, has ${open}`;
  if (waived > maxWaived + tolerance) {
    return `needs at most ${maxWaived} waived, has ${-below(-waived, -maxWaived)}`;
  }
  return undefined;
}

function isBelow(value: number, minimum: number): boolean {
  return value < minimum - tolerance;
}

/** Two decimals. What misses its bound by a hair is rounded down, so that it does not look as if it met it. */
function below(value: number, bound: number): number {
  const rounded = roundHalfUp(value);
  return rounded < bound ? rounded : Math.floor(value * 100) / 100;
}

/** A severity and those that are graver; none without a severity. */
function graveAs(severity: Severity | undefined): readonly Severity[] {
  return severities.slice(0, severities.indexOf(severity as Severity) + 1);
}
