import {
  type ByMetric,
  checkOrder,
  type InOrder,
  inOrder,
  type MetricIds,
  markedInOrder,
  metricIds,
} from "./by-metric.ts";
import { type Exemption, isExempt } from "./exemptions.ts";
import { freshness, type Time } from "./freshness.ts";
import { roundMean } from "./rounding.ts";
import type { WeighedScorecard } from "./scorecard.ts";
import type { Target } from "./target.ts";
import { coversTarget, excludedInOrder, isInForce, type Waiver } from "./waivers.ts";
import { addPart, meanOf, noParts, type Rolled } from "./weighted-mean.ts";

const noMetrics: MetricIds = new Set();
const noExemptions = (): readonly Exemption[] => [];

/** A score with its age. */
export interface DatedScore {
  /** From 0 to 100. */
  readonly score: number;
  /** When its result came in. */
  readonly reported_at: Time;
}

/** The latest score of one metric of one application in one environment. */
export interface ScoreRecord extends Target, DatedScore {
  readonly scorecard: string;
  readonly metric: string;
}

/** One scorecard of one application in one environment. */
export interface ScorecardScore extends Rolled {
  readonly scorecard: string;
}

/** The shares of a scorecard without a score that do not count. */
export interface UnscoredShares extends Pick<Rolled, "waived" | "exempt"> {
  readonly scorecard: string;
  /** Whether nothing of it counts. A sum of the shares may miss 1. */
  readonly isWhole: boolean;
}

/** One application in one environment. */
export interface AppScore extends Rolled, Target {
  /** The scorecards with at least one metric that reported and counts, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
}

/** An application in one environment, with or without a score. */
export interface RolledInOrder extends Omit<AppScore, keyof Target | "score"> {
  readonly score: number | undefined;
  /** The scorecards without a score of which anything is waived or exempt, in the order of the engine. */
  readonly unscored: readonly UnscoredShares[];
}

/** An average, with the count and the lowest score. */
export interface Average extends Rolled {
  /** Number of averaged scores. */
  readonly count: number;
  /** The lowest averaged score. */
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
 * A metric that did not report is left out of the score and lowers the share reported. Scorecard and app are weighted means
 * of the reported scores; team and area are plain averages. A score of an unknown scorecard or metric is left out. Without
 * any report there is no entry, never a 0. A stale score counts in the score and in the share reported, but not in the
 * share fresh.
 *
 * A waived metric is left out of the score and both shares, as if it were not installed. A scorecard with waived metrics
 * only is left out of the application likewise. `waived` has the share of the weight that is waived. What the policy exempts
 * an application from is left out as what is waived, but its share of the weight is `exempt`.
 *
 * @param scorecards those of the engine
 * @param scores at most one for each key; of several with the same key the last counts
 * @param at the time of the reading, by which scores are stale or not, and waivers in force or not
 * @param waivers in force or not, of these applications or others; those of problems change nothing
 * @param exemptionsOf what an application is exempt from, as of `findExemptions`
 * @throws RangeError when `at`, a time of a waiver, or `reported_at` of a metric that ages, is no time
 */
export function rollUp(
  scorecards: readonly WeighedScorecard[],
  scores: Iterable<ScoreRecord>,
  at: Date,
  waivers: readonly Waiver[] = [],
  exemptionsOf: (target: Target) => readonly Exemption[] = noExemptions,
): RollUp {
  const inForce = waivers.filter((waiver) => isInForce(waiver, at));
  const ids = metricIds(scorecards);
  const groups = groupBy(scores, ({ area, team, app, env }) => [area, team, app, env]);
  const apps = groups.flatMap((group) => {
    const reported = new Map(group.map((record) => [`${record.scorecard}.${record.metric}`, record]));
    const { area, team, app, env } = group[0];
    const rolled = rollUpInOrder(
      scorecards,
      ids.map((id) => reported.get(id)),
      at,
      excludedInOrder(scorecards, [
        ...exemptionsOf({ area, team, app, env }),
        ...inForce.filter((waiver) => coversTarget(waiver, group[0])),
      ]),
    );
    return rolled ? [{ area, team, app, env, ...rolled }] : [];
  });
  const teams = rollUpTeams(apps);
  return { apps, teams, areas: rollUpAreas(teams) };
}

/**
 * Rolls up one application in one environment, as `rollUp` does.
 *
 * @param scores those of the metrics that reported, by `scorecard.metric`
 * @param excluded the names of the metrics that do not count, as `excludedMetrics` gives them
 * @returns undefined if nothing that counts reported
 * @throws MaturityError `unknown-metric` when a score is of no metric of the scorecards
 * @throws RangeError when `at`, or `reported_at` of a metric that ages, is no time
 */
export function rollUpApp<const Card extends WeighedScorecard>(
  scorecards: readonly Card[],
  scores: ByMetric<Card, DatedScore>,
  at: Date,
  excluded: MetricIds = noMetrics,
): Omit<AppScore, keyof Target> | undefined {
  return rollUpInOrder(scorecards, inOrder<DatedScore>(scorecards, scores), at, markedInOrder(scorecards, excluded));
}

/**
 * `rollUpApp` without names, for a program that rolls up hundreds of thousands of scores and holds those of an application in
 * the order of the scorecards and their metrics.
 *
 * @param scores one entry for each metric; undefined for a metric that did not report
 * @param excluded one entry for each metric, what keeps it from counting, as `excludedInOrder` gives it; or none at all
 * @throws RangeError when there are more entries or fewer, or a time is none
 */
export function rollUpInOrder(
  scorecards: readonly WeighedScorecard[],
  scores: InOrder<DatedScore>,
  at: Date,
  excluded: readonly (object | undefined)[] = [],
): Omit<AppScore, keyof Target> | undefined {
  const all = rollUpAllInOrder(scorecards, scores, at, excluded);
  const { score, reported, fresh, waived, exempt, scorecards: cards } = all;
  return score === undefined ? undefined : { score, reported, fresh, waived, exempt, scorecards: cards };
}

/**
 * `rollUpInOrder` that also says what does not count where there is no score.
 *
 * @param scores as for `rollUpInOrder`
 * @param excluded as for `rollUpInOrder`
 * @throws RangeError as `rollUpInOrder` does
 */
export function rollUpAllInOrder(
  scorecards: readonly WeighedScorecard[],
  scores: InOrder<DatedScore>,
  at: Date,
  excluded: readonly (object | undefined)[] = [],
): RolledInOrder {
  checkOrder(scorecards, scores);
  if (excluded.length > 0) checkOrder(scorecards, excluded);
  const whole = noParts();
  const [cards, unscored]: [ScorecardScore[], UnscoredShares[]] = [[], []];
  let index = 0;
  for (const { name: scorecard, weight, metrics } of scorecards) {
    const sums = noParts();
    for (const metric of metrics) {
      const by = excluded[index];
      const counts = by === undefined;
      const exempt = !counts && isExempt(by);
      const latest = counts ? scores.at(index) : undefined;
      const isFresh = latest !== undefined && freshness(metric, latest.reported_at, at) !== "stale";
      const reported = latest === undefined ? 0 : 1;
      const waived = counts || exempt ? 0 : 1;
      addPart(sums, metric.weight, latest?.score, reported, isFresh ? 1 : 0, waived, exempt ? 1 : 0, counts);
      index++;
    }
    const { score, reported, fresh, waived, exempt } = meanOf(sums);
    addPart(whole, weight, score, reported, fresh, waived, exempt, sums.counting > 0);
    if (score !== undefined) cards.push({ scorecard, score, reported, fresh, waived, exempt });
    else if (waived + exempt > 0) unscored.push({ scorecard, waived, exempt, isWhole: sums.counting === 0 });
  }
  const { score, reported, fresh, waived, exempt } = meanOf(whole);
  return { score, reported, fresh, waived, exempt, scorecards: cards, unscored };
}

/** Averages applications by team, as `rollUp` does. */
export function rollUpTeams(apps: Iterable<Rolled & Omit<Target, "app">>): TeamScore[] {
  return groupBy(apps, ({ area, team, env }) => [area, team, env]).map((group) => {
    const { area, team, env } = group[0];
    return { area, team, env, ...average(group) };
  });
}

/** Averages teams by area, as `rollUp` does. */
export function rollUpAreas(teams: Iterable<Rolled & Pick<Target, "area" | "env">>): AreaScore[] {
  return groupBy(teams, ({ area, env }) => [area, env]).map((group) => {
    const { area, env } = group[0];
    return { area, env, ...average(group) };
  });
}

type NonEmpty<T> = [T, ...T[]];

/**
 * Groups items of equal key, in the order of the first of each group. Items of one group mostly follow each other, and then
 * need no text of their key.
 */
function groupBy<T>(items: Iterable<T>, key: (item: T) => readonly string[]): NonEmpty<T>[] {
  const groups = new Map<string, NonEmpty<T>>();
  let names: readonly string[] = [];
  let group: NonEmpty<T> | undefined;
  for (const item of items) {
    const own = key(item);
    if (!group || own.some((name, index) => name !== names[index])) {
      names = own;
      const id = JSON.stringify(own);
      group = groups.get(id);
      if (!group) {
        group = [item];
        groups.set(id, group);
        continue;
      }
    }
    group.push(item);
  }
  return [...groups.values()];
}

/**
 * The plain average of applications or teams, as `rollUpTeams` and `rollUpAreas` make it, without their names.
 *
 * @param parts at least one
 */
export function average(parts: readonly Rolled[]): Average {
  let [score, reported, fresh, waived, exempt, lowest] = [0, 0, 0, 0, 0, Number.POSITIVE_INFINITY];
  for (const part of parts) {
    score += part.score;
    reported += part.reported;
    fresh += part.fresh;
    waived += part.waived;
    exempt += part.exempt;
    lowest = Math.min(lowest, part.score);
  }
  const count = parts.length;
  return {
    ...{ score: roundMean(score / count), reported: reported / count, fresh: fresh / count },
    ...{ waived: waived / count, exempt: exempt / count, count, lowest },
  };
}
