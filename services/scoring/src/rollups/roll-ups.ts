import {
  type AppLevel,
  type Engine,
  type Level,
  rollUpAreas,
  rollUpTeams,
  severities,
  type Target,
} from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { RegisteredApp } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { keepAnswers } from "../store/kept.ts";
import { countLevels, type LevelCount } from "./app-levels.ts";
import { keepByFilter, whatIsLeft } from "./by-filter.ts";
import { groupsBy, idBy, once } from "./groups.ts";
import {
  type App,
  createOrganisationReader,
  metricNames,
  noProblems,
  type OpenProblems,
  type Organisation,
  type ReportedApp,
} from "./organisation.ts";
import { registryKey } from "./registered-apps.ts";
import { createScorecardAverage, type OwnScorecards } from "./scorecards.ts";

/** The averages of a team or an area in one environment. */
interface Averages extends OwnScorecards {
  readonly area: string;
  readonly env: string;
  readonly score: number;
  readonly coverage: number;
  readonly freshCoverage: number;
  readonly waived: number;
  readonly count: number;
  readonly lowest: number;
  /** Those of all applications below it, also of those without a score. */
  readonly problems: OpenProblems;
  /** The number of applications below it that have a score. */
  readonly apps: number;
  /** The number of registered applications below it, whether or not they have reported. */
  readonly registered: number;
  /** The number of those that have reported nothing, in no environment. */
  readonly unreported: number;
  /** How many of them have which level, the lowest first; empty if there are no levels. */
  readonly levels: readonly LevelCount[];
}

export type Area = Averages;

export interface Team extends Averages {
  readonly team: string;
}

/**
 * An application without a score: a registered one that reported nothing, in no environment, or one that reported nothing
 * that counts.
 */
export interface UnscoredApp
  extends Pick<App, "id" | "area" | "team" | "app" | "coverage" | "freshCoverage" | "waived" | "waivedUnscored"> {
  readonly env: string | null;
  readonly score: null;
  readonly scorecards: readonly [];
  readonly problems: OpenProblems;
  readonly level: null;
  readonly oldestReportedAt: Date | null;
  readonly repo: string | null;
  readonly registration: RegisteredApp | undefined;
  readonly missing: readonly string[];
}

/** The roll-ups of the applications that a filter leaves, at one moment. Each level is made when somebody asks for it. */
export interface RollUps {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: () => Promise<readonly App[]>;
  /** The same, and those without a score; of some environments, those that reported there. */
  readonly allApps: () => Promise<readonly (App | UnscoredApp)[]>;
  readonly teams: () => Promise<readonly Team[]>;
  readonly areas: () => Promise<readonly Area[]>;
}

/** Reads roll-ups that are at most 15 seconds old. */
export interface RollUpReader {
  /**
   * Teams and areas average the applications that the filter leaves, and no others, as the recording rules of a
   * Prometheus do that scrapes with this filter.
   *
   * @throws ServiceError `store-unavailable`
   */
  read(filter: TargetFilter): Promise<RollUps>;
}

/**
 * Keeps the last reading of all scores, so that any number of callers cost the database one reading in 15 seconds. Callers
 * that ask while a reading is under way share it.
 */
export function createRollUpReader(database: Database, engine: Engine, levels: readonly Level[] = []): RollUpReader {
  const latest = keepAnswers(createOrganisationReader(database, engine, levels), () => "");
  const scorecardsOf = createScorecardAverage(engine);
  const missing = metricNames(engine);
  const rollUps = keepByFilter((apps: readonly App[], organisation: Organisation, filter) => {
    const { env, ...names } = filter;
    const registered = whatIsLeft([...organisation.registry.values()], names);
    const silent = once(async () => {
      if (registered.length === 0) return registered;
      const reported = new Set([...organisation.apps, ...organisation.unscored].map(registryKey));
      return registered.filter((app) => !reported.has(registryKey(app)));
    });
    const reported = whatIsLeft(organisation.unscored, filter);
    const allApps = once(async () => {
      const withoutScore = [
        ...(env === undefined ? (await silent()).map((app) => unreportedApp(app, missing)) : []),
        ...reported.map((app) => ({
          ...unscored,
          ...app,
          registration: organisation.registry.get(registryKey(app)),
        })),
      ];
      return withoutScore.length === 0 ? apps : [...apps, ...withoutScore];
    });
    return { ...levelsOf(apps, { asOf: organisation.asOf, registered, silent, reported }, scorecardsOf), allApps };
  });
  return { read: async (filter) => rollUps(await latest(undefined), filter) };
}

type ScorecardAverage = ReturnType<typeof createScorecardAverage>;

const unscored = { score: null, coverage: 0, freshCoverage: 0, scorecards: [], level: null } as const;

function unreportedApp(registration: RegisteredApp, missing: readonly string[]): UnscoredApp {
  const { area, team, app } = registration;
  return {
    ...{ ...unscored, id: registryKey(registration), area, team, app, env: null, waived: 0, waivedUnscored: new Map() },
    ...{ problems: noProblems, oldestReportedAt: null, repo: null, registration, missing },
  };
}

function levelsOf(
  apps: readonly App[],
  { asOf, registered, silent, reported }: Unaveraged,
  scorecardsOf: ScorecardAverage,
): Omit<RollUps, "allApps"> {
  const counted = async <
    Field extends "area" | "team",
    Item extends Readonly<Record<Field | "env", string>> & Pick<Added, "problems">,
  >(
    items: readonly Item[],
    fields: readonly Field[],
  ) => {
    const [all, those] = [countBy(registered, fields), countBy(await silent(), fields)];
    const idOf = idBy([...fields, "env"]);
    const others = Map.groupBy(reported, idOf);
    return items.map((item) => ({
      ...item,
      problems: sumOfProblems([item, ...(others.get(idOf(item)) ?? [])]),
      ...{ registered: all(item), unreported: those(item) },
    }));
  };
  const teamAverages = once(() => averagesOf(apps, ["area", "team", "env"], rollUpTeams, scorecardsOf));
  const teams = once(async () => counted(await teamAverages(), ["area", "team"]));
  const areas = once(async () =>
    counted(await averagesOf(await teamAverages(), ["area", "env"], rollUpAreas, scorecardsOf), ["area"]),
  );
  return { asOf, apps: async () => apps, teams, areas };
}

/** What no average is made of. */
interface Unaveraged {
  readonly asOf: Date;
  readonly registered: readonly RegisteredApp[];
  /** Those that have reported nothing. */
  readonly silent: () => Promise<readonly RegisteredApp[]>;
  /** Those without a score that have reported. */
  readonly reported: readonly ReportedApp[];
}

/** Makes a function that tells how many applications have the names of an item in these fields. */
function countBy<Field extends "area" | "team">(
  apps: readonly RegisteredApp[],
  fields: readonly Field[],
): (item: Readonly<Record<Field, string>>) => number {
  const idOf = idBy(fields);
  const counts = new Map<string, number>();
  for (const app of apps) counts.set(idOf(app), (counts.get(idOf(app)) ?? 0) + 1);
  return (item) => counts.get(idOf(item)) ?? 0;
}

/** What the averages of core lack. */
type Added = Pick<Averages, "problems" | "apps" | "levels"> & OwnScorecards;

/** Averages the parts with the same names in these fields, and adds up their open problems and their applications. */
async function averagesOf<
  Field extends keyof Target,
  Part extends Readonly<Record<Field, string>> &
    Omit<Added, "apps" | "levels"> &
    Partial<Added> & { readonly level?: AppLevel | null },
  Average extends object,
>(
  parts: readonly Part[],
  fields: readonly Field[],
  average: (parts: readonly Part[]) => Average[],
  scorecardsOf: ScorecardAverage,
): Promise<(Average & Added)[]> {
  const all: (Average & Added)[] = [];
  for await (const group of groupsBy(parts, fields)) {
    const problems = sumOfProblems(group);
    const levels = countLevels(group);
    const apps = group.reduce((sum, { apps = 1 }) => sum + apps, 0);
    for (const one of average(group)) all.push({ ...one, problems, ...scorecardsOf(group), apps, levels });
  }
  return all;
}

function sumOfProblems(parts: readonly Pick<App, "problems">[]): OpenProblems {
  const sum = { ...noProblems };
  for (const { problems } of parts) for (const severity of severities) sum[severity] += problems[severity];
  return sum;
}
