import type { DatedScore, WeighedScorecard } from "@maturity/core";
import { rollUpInOrder } from "@maturity/core/wire";
import { yieldToEventLoop } from "../store/slices.ts";
import { type Excluded, excludedOf } from "./exemptions.ts";
import type { App } from "./organisation.ts";

/** What one application adds to a gain. */
export interface AppShare {
  readonly team: string;
  readonly app: string;
  /** By how many points its own score rises. */
  readonly app_gain: number;
  /** By how many points the score of the team or the area rises by that. */
  readonly gain: number;
}

/** What a team or an area gains by one metric. */
export interface GroupGain {
  readonly scorecard: string;
  readonly metric: string;
  /** By how many points its score rises if the metric scores 100 in all its applications that reported it. */
  readonly gain: number;
  /** The applications in which it counts and scores below 100, the largest gain first. */
  readonly apps: readonly AppShare[];
}

/** What a team or an area gains by better results, by metric and by application. */
export interface GroupGains {
  /** The largest gain first. */
  readonly metrics: readonly GroupGain[];
  /** What it gains if all that an application reported scores 100; the largest gain first. */
  readonly apps: readonly AppShare[];
}

/**
 * Finds what a team or an area gains. Each application is rolled up with the metric at 100, as `findGain` of core does; team
 * and area are plain averages, so the gains of their applications add up.
 *
 * @param apps those that the score of the group averages
 * @param isOfTeams whether it averages teams, as an area does
 */
export async function findGroupGains(
  scorecards: readonly WeighedScorecard[],
  apps: readonly App[],
  isOfTeams: boolean,
  asOf: Date,
): Promise<GroupGains> {
  const teams = Map.groupBy(apps, ({ team }) => team);
  const shares = scorecards.flatMap(({ name: scorecard, metrics }) =>
    metrics.map(({ name: metric }) => ({ scorecard, metric, apps: [] as AppShare[] })),
  );
  const whole: AppShare[] = [];
  for (const app of apps) {
    await yieldToEventLoop();
    const { team } = app;
    const averaged = isOfTeams ? teams.size * (teams.get(team)?.length ?? 1) : apps.length;
    const shareOf = (app_gain: number): AppShare => ({ team, app: app.app, app_gain, gain: app_gain / averaged });
    let isWhole = true;
    for (const [index, gain] of metricGains(scorecards, app, asOf).entries()) {
      if (gain === undefined) continue;
      isWhole = false;
      shares[index]?.apps.push(shareOf(gain));
    }
    if (!isWhole) {
      const { metricScores, exemptions, waivers } = app;
      const best = Array.from(metricScores, (own) => own && { ...own, score: 100 });
      whole.push(shareOf(gainWith(scorecards, app, best, asOf, excludedOf(scorecards, exemptions, waivers))));
    }
  }
  const metrics = shares
    .filter(({ apps }) => apps.length > 0)
    .map((one) => ({ ...one, gain: sumOf(one.apps), apps: one.apps.sort(largestFirst) }));
  return { metrics: metrics.sort(largestFirst), apps: whole.sort(largestFirst) };
}

/** Gains of an application of a snapshot; each snapshot makes new objects. */
const known = new WeakMap<App, readonly (number | undefined)[]>();

/**
 * By how many points the score of an application rises with each metric at 100, in the order of the scorecards and their
 * metrics; undefined for one that does not count, was not reported, or scores 100.
 */
export function metricGains(
  scorecards: readonly WeighedScorecard[],
  app: App,
  asOf: Date,
): readonly (number | undefined)[] {
  const found = known.get(app);
  if (found) return found;
  const { metricScores, exemptions, waivers } = app;
  const excluded = excludedOf(scorecards, exemptions, waivers);
  const scores = [...metricScores];
  const gains = scores.map((own, index) =>
    own && !excluded[index] && own.score < 100
      ? gainWith(scorecards, app, scores.with(index, { ...own, score: 100 }), asOf, excluded)
      : undefined,
  );
  known.set(app, gains);
  return gains;
}

/** By how many points the score of an application rises with these scores. */
function gainWith(
  scorecards: readonly WeighedScorecard[],
  { score }: App,
  scores: readonly (DatedScore | undefined)[],
  asOf: Date,
  excluded: Excluded,
): number {
  return (rollUpInOrder(scorecards, scores, asOf, excluded)?.score ?? score) - score;
}

function sumOf(shares: readonly AppShare[]): number {
  return shares.reduce((sum, { gain }) => sum + gain, 0);
}

function largestFirst(one: { readonly gain: number }, other: { readonly gain: number }): number {
  return other.gain - one.gain;
}
