import { type Rolled, rollUp, type Scorecard, type ScoreRecord } from "@maturity/core";
import { expect } from "vitest";
import type { Prometheus } from "./prometheus.ts";

/** Values by series; a series is its name and its sorted labels as JSON. */
type Series = ReadonlyMap<string, number>;

type Values = Readonly<Record<string, number>>;

/** Every recorded roll-up, as core computes it. */
function expectedRollUps(scorecards: readonly Scorecard[], scores: readonly ScoreRecord[]): Series {
  const { apps, teams, areas } = rollUp(scorecards, scores, new Date());
  const scorecardSeries = apps.flatMap(({ area, team, app, env, scorecards }) =>
    scorecards.flatMap(({ scorecard, ...rolled }) =>
      series({ area, team, app, env, scorecard }, valuesOf("scorecard", rolled)),
    ),
  );
  const appSeries = apps.flatMap(({ area, team, app, env, ...rolled }) =>
    series({ area, team, app, env }, valuesOf("app", rolled)),
  );
  const teamSeries = teams.flatMap(({ area, team, env, count, lowest, ...rolled }) =>
    series({ area, team, env }, { ...valuesOf("team", rolled), team_apps: count, team_lowest_score: lowest }),
  );
  const areaSeries = areas.flatMap(({ area, env, count, lowest, ...rolled }) =>
    series({ area, env }, { ...valuesOf("area", rolled), area_teams: count, area_lowest_score: lowest }),
  );
  return new Map([...scorecardSeries, ...appSeries, ...teamSeries, ...areaSeries]);
}

/** What every level has. */
function valuesOf(level: string, { score, coverage, freshCoverage }: Rolled): Values {
  return { [`${level}_score`]: score, [`${level}_coverage`]: coverage, [`${level}_fresh_coverage`]: freshCoverage };
}

function series(labels: Readonly<Record<string, string>>, values: Values): [string, number][] {
  return Object.entries(values).map(([name, value]) => [seriesId(`maturity:${name}`, labels), value]);
}

function seriesId(name: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([name, ...Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** Every roll-up that Prometheus has recorded. */
async function recordedRollUps(prometheus: Prometheus): Promise<Series> {
  const samples = await prometheus.query('{__name__=~"maturity:(scorecard|app|team|area)_.*"}');
  return new Map(samples.map(({ name, labels, value }) => [seriesId(name, labels), value]));
}

/**
 * Expects Prometheus to have recorded exactly the roll-ups that core computes, each within 1e-9.
 *
 * @returns how many there are
 */
export async function expectRollUps(
  prometheus: Prometheus,
  scorecards: readonly Scorecard[],
  scores: readonly ScoreRecord[],
): Promise<number> {
  const expected = expectedRollUps(scorecards, scores);
  const recorded = await recordedRollUps(prometheus);
  expect({
    missing: [...expected.keys()].filter((id) => !recorded.has(id)),
    extra: [...recorded.keys()].filter((id) => !expected.has(id)),
    different: [...expected].flatMap(([id, value]) => {
      const found = recorded.get(id) ?? value;
      return Math.abs(found - value) <= 1e-9 ? [] : [`${id}: ${found} instead of ${value}`];
    }),
  }).toEqual({ missing: [], extra: [], different: [] });
  return expected.size;
}
