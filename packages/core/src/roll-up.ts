import type { Scorecard } from "./scorecard.ts";
import type { Target } from "./wire.ts";

/** The latest score of one metric of one application in one environment. */
export interface ScoreRecord extends Target {
  readonly scorecard: string;
  readonly metric: string;
  /** From 0 to 100. */
  readonly score: number;
}

/** A rolled-up score. */
export interface Rolled {
  /** From 0 to 100, not rounded. */
  readonly score: number;
  /** The share of the weight that reported, above 0 and up to 1: silence lowers it. */
  readonly coverage: number;
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
 * and is left out. Where nothing reported there is no entry, never a 0.
 *
 * @param scorecards those of the engine
 * @param scores at most one for each key; of two with one key the later counts
 */
export function rollUp(scorecards: readonly Scorecard[], scores: Iterable<ScoreRecord>): RollUp {
  const apps = [...groupBy(scores, ({ area, team, app, env }) => [area, team, app, env]).values()].flatMap((group) =>
    appScore(scorecards, group),
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
function appScore(scorecards: readonly Scorecard[], group: NonEmpty<ScoreRecord>): AppScore[] {
  const reported = new Map(group.map((record) => [`${record.scorecard}/${record.metric}`, record.score]));
  const rolled = scorecards.map((scorecard) => ({
    scorecard,
    ...weightedMean(
      scorecard.metrics.map(({ name, weight }) => ({ weight, score: reported.get(`${scorecard.name}/${name}`) })),
    ),
  }));
  const { score } = weightedMean(rolled.map(({ scorecard: { weight }, score }) => ({ weight, score })));
  if (score === undefined) return [];
  const total = sum(scorecards, ({ weight }) => weight);
  const coverage = sum(rolled, (part) => part.scorecard.weight * part.coverage) / total;
  const { area, team, app, env } = group[0];
  const parts = rolled.flatMap(({ scorecard: { name }, score, coverage }) =>
    score === undefined ? [] : [{ scorecard: name, score, coverage }],
  );
  return [{ area, team, app, env, score, coverage, scorecards: parts }];
}

interface Weighed {
  readonly weight: number;
  readonly score: number | undefined;
}

/** Over the parts that have a score; coverage is their share of the weight. */
function weightedMean(parts: readonly Weighed[]): { score: number | undefined; coverage: number } {
  const reported = sum(parts, ({ weight, score }) => (score === undefined ? 0 : weight));
  if (reported === 0) return { score: undefined, coverage: 0 };
  const total = sum(parts, ({ weight, score }) => (score === undefined ? 0 : weight * score));
  return {
    // With fractional weights the division can end a hair above 100.
    score: Math.min(total / reported, 100),
    coverage: reported / sum(parts, ({ weight }) => weight),
  };
}

function average(parts: NonEmpty<Rolled>): Average {
  return {
    score: sum(parts, ({ score }) => score) / parts.length,
    coverage: sum(parts, ({ coverage }) => coverage) / parts.length,
    count: parts.length,
    lowest: parts.reduce((lowest, { score }) => Math.min(lowest, score), Number.POSITIVE_INFINITY),
  };
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
