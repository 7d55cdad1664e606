import type { App } from "@maturity/client";
import { rollUpAreas, rollUpTeams } from "@maturity/core";

/** What an area or a team has beyond its own list. */
export interface Parts {
  /** The score of each of its scorecards, by name. */
  readonly scorecards: ReadonlyMap<string, number>;
  /** How many applications it has. */
  readonly apps: number;
}

/** A key of an area, or with a team of a team. */
export function keyOfGroup({ area, team }: { readonly area: string; readonly team?: string | undefined }): string {
  return JSON.stringify([area, team]);
}

/**
 * Averages the scorecards of applications by team, and the teams by area, as their scores are averaged.
 *
 * @param apps all those of the groups that are wanted, in one environment
 */
export function partsOf(apps: readonly App[]): ReadonlyMap<string, Parts> {
  const groups = new Map<string, { scorecards: Map<string, number>; apps: number }>();
  const at = (group: { readonly area: string; readonly team?: string }) => {
    const found = groups.get(keyOfGroup(group)) ?? { scorecards: new Map(), apps: 0 };
    groups.set(keyOfGroup(group), found);
    return found;
  };
  for (const { area, team } of apps) {
    at({ area }).apps++;
    at({ area, team }).apps++;
  }
  const names = new Set(apps.flatMap(({ scorecards }) => scorecards.map(({ scorecard }) => scorecard)));
  for (const name of names) {
    const teams = rollUpTeams(
      apps.flatMap(({ area, team, env, scorecards }) =>
        scorecards
          .filter(({ scorecard }) => scorecard === name)
          .map(({ score, coverage, fresh_coverage }) => ({
            area,
            team,
            env,
            score,
            coverage,
            freshCoverage: fresh_coverage,
          })),
      ),
    );
    for (const { area, team, score } of teams) at({ area, team }).scorecards.set(name, score);
    for (const { area, score } of rollUpAreas(teams)) at({ area }).scorecards.set(name, score);
  }
  return groups;
}
