import type { Rolled, RollUp } from "@maturity/core";
import { expect } from "vitest";
import { readAll } from "./reading.ts";
import type { TestService } from "./service.ts";

/** Values by series; a series is its name and its sorted labels as JSON. */
export type Series = ReadonlyMap<string, number>;

type Values = Readonly<Record<string, number>>;

/** Samples with names and labels as a map. The names come without `maturity:` or `maturity_`. */
export function seriesOf(
  samples: readonly { name: string; labels: Readonly<Record<string, string>>; value: number }[],
): Series {
  return new Map(
    samples.map(({ name, labels, value }) => [seriesId(name.replace(/^maturity[:_]/, ""), labels), value]),
  );
}

/** Every roll-up as a series. */
export function seriesOfRollUp({ apps, teams, areas }: RollUp): Series {
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
function valuesOf(level: string, { score, reported, fresh, waived, exempt }: Rolled): Values {
  return {
    ...{ [`${level}_score`]: score, [`${level}_reported_ratio`]: reported, [`${level}_fresh_ratio`]: fresh },
    ...(waived > 0 && { [`${level}_waived`]: waived }), // there is no series where nothing is waived, or exempt
    ...(exempt > 0 && { [`${level}_exempt`]: exempt }),
  };
}

function series(labels: Readonly<Record<string, string>>, values: Values): [string, number][] {
  return Object.entries(values).map(([name, value]) => [seriesId(name, labels), value]);
}

function seriesId(name: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([name, ...Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** Expects the same series, each within 1e-9. */
export function expectSeries(found: Series, expected: Series): void {
  expect({
    missing: [...expected.keys()].filter((id) => !found.has(id)),
    extra: [...found.keys()].filter((id) => !expected.has(id)),
    different: [...expected].flatMap(([id, value]) => {
      const other = found.get(id) ?? value;
      return Math.abs(other - value) <= 1e-9 ? [] : [`${id}: ${other} instead of ${value}`];
    }),
  }).toEqual({ missing: [], extra: [], different: [] });
}

interface ListedScores {
  readonly score: number | null;
  readonly fresh: number;
  readonly scorecards?: readonly ListedScores[];
}

/** Gives the whole of a list, with a query. */
export type ReadList = (path: string) => Promise<readonly object[]>;

/** What the lists of applications, teams and areas show, in core's form. */
export async function readRollUp(readList: ReadList, query = ""): Promise<RollUp> {
  // Core rolls up what has a score; the list of applications also has the others.
  const read = async (path: string) =>
    ((await readList(path + query)) as ListedScores[]).filter(({ score }) => score !== null).map(asRolled);
  const [apps, teams, areas] = [await read("/apps"), await read("/teams"), await read("/areas")];
  return { apps, teams, areas } as unknown as RollUp;
}

function asRolled({ fresh, scorecards, ...item }: ListedScores): object {
  return { ...item, fresh, ...(scorecards && { scorecards: scorecards.map(asRolled) }) };
}

/** The lists of a service that is driven without a socket. */
export function listsOf(service: Pick<TestService, "server">): ReadList {
  return (path) => readAll(service, path, 1_000);
}
