import type { AppLevel, AppScore, DatedScore, InOrder, LevelFacts, Target } from "@maturity/core";
import { levelFacts, levelOf, rollUpInOrder } from "@maturity/core/wire";
import { type Exemptions, excludedOf } from "./exemptions.ts";
import type { OrganisationRules } from "./rules.ts";
import type { ScoreWaiver } from "./waivers.ts";

/** The number of applications with a level. */
export interface LevelCount {
  /** 0 without a level. */
  readonly rank: number;
  /** Null without a level. */
  readonly name: string | null;
  readonly count: number;
}

/** An application rolled up, with its level. */
export interface Standing extends Omit<AppScore, keyof Target> {
  /** Null if there are no levels. */
  readonly level: AppLevel | null;
}

/** What decides on the standing of an application beside its scores. */
export interface StandingFacts {
  /** The number of its open problems, by severity. */
  readonly problems: LevelFacts["problems"];
  /** What the policy exempts it from. */
  readonly exemptions: Exemptions;
  /** The waivers in force that cover it. */
  readonly waivers: readonly ScoreWaiver[];
}

/**
 * Makes a function that rolls an application up under these rules. It takes the scores of the application in the order of
 * the scorecards and their metrics, undefined where nothing was reported; its result is undefined without a score.
 */
export function createStandingFinder({
  scorecards,
  levels = [],
}: OrganisationRules): (facts: StandingFacts, scores: InOrder<DatedScore>, asOf: Date) => Standing | undefined {
  return ({ problems, exemptions, waivers }, scores, asOf) => {
    const excluded = excludedOf(scorecards, exemptions, waivers);
    const rolled = rollUpInOrder(scorecards, scores, asOf, excluded);
    return rolled && { ...rolled, level: levelOf(rolled, levelFacts(scorecards, scores, excluded, problems), levels) };
  };
}

/** Counts the applications by level, the lowest first. */
export function countLevels(apps: readonly { readonly level: AppLevel | null }[]): LevelCount[] {
  const counts = new Map<number, LevelCount>();
  for (const { level } of apps) {
    if (!level) continue;
    const { rank, name } = level;
    counts.set(rank, { rank, name, count: 1 + (counts.get(rank)?.count ?? 0) });
  }
  return [...counts.values()].sort((a, b) => a.rank - b.rank);
}
