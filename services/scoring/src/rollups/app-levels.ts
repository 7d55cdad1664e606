import type { AppLevel, DatedScore, InOrder, Level, LevelFacts, WeighedScorecard } from "@maturity/core";
import { levelFacts, levelOf } from "@maturity/core/wire";

/** The number of applications with a level. */
export interface LevelCount {
  /** 0 without a level. */
  readonly rank: number;
  /** Null without a level. */
  readonly name: string | null;
  readonly count: number;
}

/**
 * Makes a function that finds the level of an application; null if there are no levels.
 *
 * The function takes the roll-up of the application, its open problems, its evidence by scorecard and metric (undefined
 * where nothing was reported), and in the same order what keeps each metric from counting.
 */
export function createLevelFinder(
  { scorecards }: { readonly scorecards: readonly WeighedScorecard[] },
  levels: readonly Level[],
): (
  app: Parameters<typeof levelOf>[0],
  problems: LevelFacts["problems"],
  metricScores: InOrder<DatedScore>,
  excluded?: readonly (object | undefined)[],
) => AppLevel | null {
  return (app, problems, metricScores, excluded = []) =>
    levelOf(app, levelFacts(scorecards, metricScores, excluded, problems), levels);
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
