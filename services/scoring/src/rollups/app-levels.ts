import type { AppLevel, DatedScore, InOrder, LevelFacts } from "@maturity/core";
import { levelFacts, levelOf, type RolledInOrder, rollUpAllInOrder } from "@maturity/core/wire";
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
export interface Standing extends RolledInOrder {
  /** Null if there are no levels, and without a score. */
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
 * the scorecards and their metrics, undefined where nothing was reported.
 */
export function createStandingFinder({
  scorecards,
  levels = [],
}: OrganisationRules): (facts: StandingFacts, scores: InOrder<DatedScore>, asOf: Date) => Standing {
  return ({ problems, exemptions, waivers }, scores, asOf) => {
    const excluded = excludedOf(scorecards, exemptions, waivers);
    const rolled = rollUpAllInOrder(scorecards, scores, asOf, excluded);
    const { score, reported, fresh, waived, exempt, scorecards: cards, unscored } = rolled;
    const facts = levelFacts(scorecards, scores, excluded, problems);
    const level = score === undefined ? null : levelOf({ score, fresh, waived, scorecards: cards }, facts, levels);
    // Written out, since a spread takes longer.
    return { score, reported, fresh, waived, exempt, scorecards: cards, unscored, level };
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
