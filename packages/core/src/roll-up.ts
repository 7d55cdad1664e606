import { freshness } from "./freshness.ts";
import type { Scorecard } from "./scorecard.ts";
import type { Target } from "./wire.ts";

/** The latest score of one metric of one application in one environment. */
export interface ScoreRecord extends Target {
  readonly scorecard: string;
  readonly metric: string;
  /** From 0 to 100. */
  readonly score: number;
  /** When its evidence came in, as a Date or in ISO 8601. */
  readonly reported_at: Date | string;
}

/** A rolled-up score. */
export interface Rolled {
  /** From 0 to 100, not rounded. */
  readonly score: number;
  /** The share of the weight that reported, above 0 and up to 1: silence lowers it. */
  readonly coverage: number;
  /** The share of the weight that reported and is not stale, from 0 up to the coverage: old evidence lowers it. */
  readonly freshCoverage: number;
}

/** One scorecard of one application in one environment. */
export interface ScorecardScore extends Rolled {
  readonly scorecard: string;
}

/** One application in one environment. */
export interface AppScore extends Rolled, Target {
  /** Those with at least one reported metric, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
}

/** An average, with what an average hides. */
export interface Average extends Rolled {
  /** How many scores it averages. */
  readonly count: number;
  /** The lowest of them. */
  readonly lowest: number;
}

/** One team in one environment: the plain average of its applications. */
export interface TeamScore extends Average, Omit<Target, "app"> {}

/** One area in one environment: the plain average of its teams. */
export interface AreaScore extends Average, Pick<Target, "area" | "env"> {}

/** All levels, each in the order in which its first score stands in the input. */
export interface RollUp {
  readonly apps: readonly AppScore[];
  readonly teams: readonly TeamScore[];
  readonly areas: readonly AreaScore[];
}

/**
 * Rolls scores up: metric → scorecard → app → team → area, each environment by itself.
 *
 * What did not report is left out of a score and lowers its coverage. Scorecard and app are weighted means over what
 * reported; team and area are plain averages. A score whose scorecard or metric is not among `scorecards` has no weight
 * and is left out. Where nothing reported there is no entry, never a 0. A stale score counts in the score and in the
 * coverage as any other does, but not in the fresh coverage.
 *
 * @param scorecards those of the engine
 * @param scores at most one for each key; of two with one key the later counts
 * @param at the time of the reading, by which scores are stale or not
 * @throws RangeError when `at`, or `reported_at` of a metric that ages, is no time
 */
export function rollUp(scorecards: readonly Scorecard[], scores: Iterable<ScoreRecord>, at: Date): RollUp {
  const apps = [...groupBy(scores, ({ area, team, app, env }) => [area, team, app, env]).values()].flatMap((group) =>
    appScore(scorecards, group, at),
  );
  const teams = [...groupBy(apps, ({ area, team, env }) => [area, team, env]).values()].map((group) => {
    const { area, team, env } = group[0];
    return { area, team, env, ...average(group) };
  });
  const areas = [...groupBy(teams, ({ area, env }) => [area, env]).values()].map((group) => {
    const { area, env } = group[0];
    return { area, env, ...average(group) };
  });
  return { apps, teams, areas };
}

type NonEmpty<T> = [T, ...T[]];

function groupBy<T>(items: Iterable<T>, key: (item: T) => readonly string[]): Map<string, NonEmpty<T>> {
  const groups = new Map<string, NonEmpty<T>>();
  for (const item of items) {
    const id = JSON.stringify(key(item));
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  return groups;
}

/** The app's score in an array, or an empty one when no registered metric reported. */
function appScore(scorecards: readonly Scorecard[], group: NonEmpty<ScoreRecord>, at: Date): AppScore[] {
  const reported = new Map(group.map((record) => [`${record.scorecard}/${record.metric}`, record]));
  const rolled = scorecards.map(({ name: scorecard, weight, metrics }) => {
    const parts = metrics.map((metric): Part => {
      const record = reported.get(`${scorecard}/${metric.name}`);
      if (!record) return { weight: metric.weight, score: undefined, coverage: 0, freshCoverage: 0 };
      const isStale = freshness(metric, record.reported_at, at) === "stale";
      return { weight: metric.weight, score: record.score, coverage: 1, freshCoverage: isStale ? 0 : 1 };
    });
    return { scorecard, weight, ...weightedMean(parts) };
  });
  const { score, coverage, freshCoverage } = weightedMean(rolled);
  if (score === undefined) return [];
  const { area, team, app, env } = group[0];
  const parts = rolled.flatMap(({ scorecard, score, coverage, freshCoverage }) =>
    score === undefined ? [] : [{ scorecard, score, coverage, freshCoverage }],
  );
  return [{ area, team, app, env, score, coverage, freshCoverage, scorecards: parts }];
}

/** A metric of a scorecard or a scorecard of an app; without score when nothing of it reported. */
interface Part extends Omit<Rolled, "score"> {
  readonly weight: number;
  readonly score: number | undefined;
}

/** The score over the parts that have one; the coverages over all of them. */
function weightedMean(parts: readonly Part[]): Omit<Part, "weight"> {
  const reported = sum(parts, ({ weight, score }) => (score === undefined ? 0 : weight));
  const scored = sum(parts, ({ weight, score = 0 }) => weight * score);
  const total = sum(parts, ({ weight }) => weight);
  return {
    // With fractional weights the division can end a hair above 100.
    score: reported === 0 ? undefined : Math.min(scored / reported, 100),
    coverage: sum(parts, ({ weight, coverage }) => weight * coverage) / total,
    freshCoverage: sum(parts, ({ weight, freshCoverage }) => weight * freshCoverage) / total,
  };
}

function average(parts: NonEmpty<Rolled>): Average {
  return {
    score: sum(parts, ({ score }) => score) / parts.length,
    coverage: sum(parts, ({ coverage }) => coverage) / parts.length,
    freshCoverage: sum(parts, ({ freshCoverage }) => freshCoverage) / parts.length,
    count: parts.length,
    lowest: parts.reduce((lowest, { score }) => Math.min(lowest, score), Number.POSITIVE_INFINITY),
  };
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
