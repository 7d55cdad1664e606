import { freshness, type WeighedScorecard } from "@maturity/core";
import { isExempt } from "@maturity/core/wire";
import { yieldToEventLoop } from "../store/slices.ts";
import { excludedOf } from "./exemptions.ts";
import { metricGains } from "./group-gains.ts";
import type { App, UnscoredApp } from "./organisation.ts";

/** The scores of a metric that count, in one environment; null if there are none. */
interface Spread {
  readonly lowest: number | null;
  /** A tenth of the scores is below it. */
  readonly p10: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly highest: number | null;
}

/** A metric of several applications in one environment. */
export interface MetricShares {
  readonly scorecard: string;
  readonly metric: string;
  /** The plain average over the applications in which it was reported and counts; null if there are none. */
  readonly score: number | null;
  /** In how many applications it was reported and counts. */
  readonly count: number;
  /** In which share of the applications it was reported, of those in which it counts. */
  readonly reported: number;
  /** In which share of them it was reported and is not stale. */
  readonly fresh: number;
  /** In which share of all applications it is waived. */
  readonly waived: number;
  /** In which share of all applications the policy exempts it. */
  readonly exempt: number;
}

/** A metric in one environment of the organisation. */
export interface MetricAverage extends MetricShares, Spread {
  readonly env: string;
  /** In which share of the applications it was reported and is stale. */
  readonly stale: number;
  /** The number of applications that have reported anything there. */
  readonly apps: number;
  /** The number of waivers in force that cover it in at least one of them; those of the same scope are one. */
  readonly waivers: number;
  /** The score of the organisation there: the plain average of its areas; null if it has none. */
  readonly organisation_score: number | null;
  /** By how many points that score rises if the metric scores 100 wherever it was reported. */
  readonly gain: number;
}

/** An application in an environment. */
export type ReportedApp = App | (UnscoredApp & { readonly env: string });

/** What was counted of a metric. */
interface Counted {
  readonly scorecard: string;
  readonly metric: WeighedScorecard["metrics"][number];
  readonly scores: number[];
  fresh: number;
  waived: number;
  exempt: number;
}

/** Counts each metric of these applications, in the order of the scorecards and their metrics. */
async function countMetrics(
  scorecards: readonly WeighedScorecard[],
  apps: readonly ReportedApp[],
  asOf: Date,
): Promise<readonly Counted[]> {
  const all = scorecards.flatMap(({ name: scorecard, metrics }) =>
    metrics.map((metric): Counted => ({ scorecard, metric, scores: [], fresh: 0, waived: 0, exempt: 0 })),
  );
  for (const { metricScores, exemptions, waivers } of apps) {
    await yieldToEventLoop();
    const excluded = excludedOf(scorecards, exemptions, waivers);
    for (const [index, counted] of all.entries()) {
      const [by, own] = [excluded[index], metricScores.at(index)];
      if (by) counted[isExempt(by) ? "exempt" : "waived"]++;
      else if (own) {
        counted.scores.push(own.score);
        if (freshness(counted.metric, own.reported_at, asOf) !== "stale") counted.fresh++;
      }
    }
  }
  return all;
}

/** Averages each metric of these applications, in the order of the scorecards and their metrics. */
export async function averageMetrics(
  scorecards: readonly WeighedScorecard[],
  apps: readonly ReportedApp[],
  asOf: Date,
): Promise<readonly MetricShares[]> {
  return (await countMetrics(scorecards, apps, asOf)).map((counted) => sharesOf(counted, apps.length));
}

function sharesOf({ scorecard, metric, scores, fresh, waived, exempt }: Counted, apps: number): MetricShares {
  const counting = apps - waived - exempt;
  const shareOf = (count: number, all: number) => (all === 0 ? 0 : count / all);
  return {
    ...{ scorecard, metric: metric.name },
    score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    count: scores.length,
    reported: shareOf(scores.length, counting),
    fresh: shareOf(fresh, counting),
    waived: shareOf(waived, apps),
    exempt: shareOf(exempt, apps),
  };
}

/**
 * Averages each metric over all applications of each environment.
 *
 * @param reported those that have reported anything
 * @param areas the averages of their areas
 */
export async function averageMetricsByEnv(
  scorecards: readonly WeighedScorecard[],
  reported: readonly ReportedApp[],
  areas: readonly { readonly env: string; readonly score: number }[],
  asOf: Date,
): Promise<readonly MetricAverage[]> {
  const averages: MetricAverage[] = [];
  const areasOf = Map.groupBy(areas, ({ env }) => env);
  for (const [env, apps] of Map.groupBy(reported, ({ env }) => env)) {
    const own = areasOf.get(env) ?? [];
    const organisation_score = own.length === 0 ? null : own.reduce((sum, { score }) => sum + score, 0) / own.length;
    const gains = await organisationGains(scorecards, apps, own.length, asOf);
    const inForce = [...new Set(apps.flatMap(({ waivers }) => waivers))];
    for (const [index, counted] of (await countMetrics(scorecards, apps, asOf)).entries()) {
      const shares = sharesOf(counted, apps.length);
      const { scorecard, metric } = shares;
      const covering = inForce.filter((one) => one.scorecard === scorecard && (one.metric ?? metric) === metric);
      averages.push({
        ...{ env, ...shares, ...spreadOf(counted.scores), stale: shares.reported - shares.fresh },
        ...{ apps: apps.length, waivers: covering.length, organisation_score, gain: gains[index] ?? 0 },
      });
    }
  }
  return averages;
}

/** By how many points the average of the areas rises with each metric at 100. All averages are plain, so gains add up. */
async function organisationGains(
  scorecards: readonly WeighedScorecard[],
  apps: readonly ReportedApp[],
  areas: number,
  asOf: Date,
): Promise<readonly number[]> {
  const sums = scorecards.flatMap(({ metrics }) => metrics.map(() => 0));
  const scored = apps.filter((app) => app.score !== null);
  for (const ofArea of Map.groupBy(scored, ({ area }) => area).values()) {
    const teams = Map.groupBy(ofArea, ({ team }) => team);
    for (const ofTeam of teams.values()) {
      const averaged = areas * teams.size * ofTeam.length;
      for (const app of ofTeam) {
        await yieldToEventLoop();
        for (const [index, gain] of metricGains(scorecards, app, asOf).entries()) {
          sums[index] = (sums[index] ?? 0) + (gain ?? 0) / averaged;
        }
      }
    }
  }
  return sums;
}

function spreadOf(scores: readonly number[]): Spread {
  const sorted = Float64Array.from(scores).sort();
  const at = (share: number) => (sorted.length === 0 ? null : percentile(sorted, share));
  return { lowest: at(0), p10: at(0.1), median: at(0.5), p90: at(0.9), highest: at(1) };
}

/** A percentile between the two nearest values, as `percentile_cont` of PostgreSQL. */
function percentile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 0, above = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
