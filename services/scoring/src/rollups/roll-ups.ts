import type { AreaScore, TeamScore } from "@maturity/core";
import { average, severities } from "@maturity/core/wire";
import type { TargetFilter } from "../model/target-filter.ts";
import { cacheAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { inSlices } from "../store/slices.ts";
import { countLevels, type LevelCount } from "./app-levels.ts";
import { cacheByFilter, matching } from "./by-filter.ts";
import { findGroupGains, type GroupGains } from "./group-gains.ts";
import { groupInSlices, idBy, once } from "./groups.ts";
import {
  averageMetrics,
  averageMetricsByEnv,
  type MetricAverage,
  type MetricShares,
  type ReportedApp,
} from "./metric-averages.ts";
import {
  type App,
  noProblems,
  type OpenProblems,
  type Organisation,
  readOrganisation,
  type UnscoredApp,
} from "./organisation.ts";
import type { OrganisationRules } from "./rules.ts";
import { averageScorecards, type ScorecardScores } from "./scorecards.ts";

/** Counts of a team or an area in one environment. */
interface Counts {
  /** Open problems of all its applications, with or without a score. */
  readonly problems: OpenProblems;
  /** The number of its applications with a score. */
  readonly apps: number;
  /** The number of its registered applications. */
  readonly registered: number;
  /** The number of its registered applications that never reported. */
  readonly unreported: number;
  /** The numbers of its applications by level, the lowest first; empty if there are no levels. */
  readonly levels: readonly LevelCount[];
}

export interface Area extends AreaScore, ScorecardScores, Counts {}

export interface Team extends TeamScore, ScorecardScores, Counts {}

/** The roll-ups of the applications that match a filter, at one moment. Teams and areas are computed on first use. */
export interface RollUps {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly App[];
  /** All applications, with or without a score; for a filter by environment, only those that reported there. */
  readonly allApps: readonly (App | UnscoredApp)[];
  /** Those of them in no environment: they are registered and have reported nothing. */
  readonly silentApps: readonly UnscoredApp[];
  /** All with those that are held, which count nowhere. */
  readonly allAndHeld: readonly (App | UnscoredApp)[];
  readonly teams: () => Promise<readonly Team[]>;
  readonly areas: () => Promise<readonly Area[]>;
  /** What a team or an area of these gains by better results; found once. */
  readonly gainsOf: (group: Team | Area) => Promise<GroupGains>;
  /** Each metric over all of these applications, in each environment; found once. */
  readonly metricAverages: () => Promise<readonly MetricAverage[]>;
  /** Each metric over the applications of a team, in the order of the scorecards and their metrics. */
  readonly metricsOf: (team: Team) => Promise<readonly MetricShares[]>;
}

/** Reads roll-ups that are at most 15 seconds old. */
export interface RollUpReader {
  /**
   * Reads the roll-ups that match a filter. Teams and areas average only these applications, as the recording rules of
   * a Prometheus that scrapes with this filter.
   *
   * @throws ServiceError `store-unavailable`
   */
  read(filter: TargetFilter): Promise<RollUps>;
}

/** Caches the last snapshot of all scores, so that the database is asked once in 15 seconds, however many callers there are. */
export function createRollUpReader(database: Database, rules: OrganisationRules): RollUpReader {
  const read = () => readSnapshot(database, database.reads, (lines) => readOrganisation(lines, rules));
  const latest = cacheAnswers(read, () => "");
  const rollUps = cacheByFilter((apps: readonly App[], organisation: Organisation, filter): RollUps => {
    // Each environment is averaged by itself.
    const isOfWholeEnvs = Object.keys(filter).join() === "env";
    return rollUpsOf(rules, apps, organisation, filter, isOfWholeEnvs ? rollUps(organisation, {}) : undefined);
  });
  return { read: async (filter) => rollUps(await latest(undefined), filter) };
}

function rollUpsOf(
  rules: OrganisationRules,
  apps: readonly App[],
  { asOf, registry, unscored, held }: Organisation,
  { env, ...names }: TargetFilter,
  ofAllEnvs?: RollUps,
): RollUps {
  const registered = matching([...registry.values()], names);
  const unscoredApps = matching(unscored, names);
  const isThere = (one: Pick<UnscoredApp, "env">) => env === undefined || (one.env !== null && env.includes(one.env));
  const allApps = [...apps, ...unscoredApps.filter(isThere)];
  const heldApps = matching(held, names).filter(isThere);
  const allAndHeld = heldApps.length === 0 ? allApps : [...allApps, ...heldApps];
  const reported = allApps.filter((app): app is ReportedApp => app.env !== null);
  const silent = unscoredApps.filter((app) => app.env === null);
  const silentApps = silent.filter(isThere);

  /** The applications of each team in each environment, with or without a score, and those of each area. */
  const ofTeams = once(() => groupInSlices(reported, teamOf));
  const ofAreas = once(async () => {
    const areas = Map.groupBy((await ofTeams()).values(), ([first]) => areaOf(first));
    return new Map([...areas].map(([id, groups]) => [id, groups.flat()]));
  });

  /** Makes a function that counts the applications of a team or an area, which these fields name. */
  function countsBy<Field extends "area" | "team">(fields: readonly Field[]) {
    const idOf = idBy(fields);
    const registeredOf = Map.groupBy(registered, idOf);
    const silentOf = Map.groupBy(silent, idOf);
    return (group: Readonly<Record<Field, string>>, own: readonly ReportedApp[], scored: readonly App[]): Counts => {
      const id = idOf(group);
      return {
        problems: sumOfProblems(own),
        apps: scored.length,
        registered: registeredOf.get(id)?.length ?? 0,
        unreported: silentOf.get(id)?.length ?? 0,
        levels: countLevels(scored),
      };
    };
  }

  const teams = once(async () => {
    if (ofAllEnvs) return (await ofAllEnvs.teams()).filter(isThere);
    const countsOf = countsBy(["area", "team"]);
    const all: Team[] = [];
    await inSlices((await ofTeams()).values(), (own) => {
      const scored = own.filter(isScored);
      if (scored.length === 0) return;
      const { area, team, env } = own[0];
      const averages = { ...average(scored), ...averageScorecards(rules, scored) };
      all.push({ area, team, env, ...averages, ...countsOf(own[0], own, scored) });
    });
    return all;
  });
  const areas = once(async () => {
    if (ofAllEnvs) return (await ofAllEnvs.areas()).filter(isThere);
    const [countsOf, appsOf] = [countsBy(["area"]), await ofAreas()];
    const all: Area[] = [];
    await inSlices(Map.groupBy(await teams(), areaOf), ([id, group]) => {
      const { area, env } = group[0] as Team;
      const own = appsOf.get(id) ?? [];
      const averages = { ...average(group), ...averageScorecards(rules, group) };
      all.push({ area, env, ...averages, ...countsOf({ area }, own, own.filter(isScored)) });
    });
    return all;
  });

  const gains = new Map<string, Promise<GroupGains>>();
  const gainsOf = (group: Team | Area) => {
    const isOfTeams = !("team" in group);
    const id = isOfTeams ? areaOf(group) : teamOf(group);
    const find = async () => {
      const own: readonly ReportedApp[] = (await (isOfTeams ? ofAreas() : ofTeams())).get(id) ?? [];
      return findGroupGains(rules.scorecards, own.filter(isScored), isOfTeams, asOf);
    };
    const key = JSON.stringify([isOfTeams, id]);
    const found = gains.get(key) ?? find();
    gains.set(key, found);
    return found;
  };

  const metricAverages = once(async () => averageMetricsByEnv(rules.scorecards, reported, await areas(), asOf));
  const metricsOf = async (team: Team) =>
    averageMetrics(rules.scorecards, (await ofTeams()).get(teamOf(team)) ?? [], asOf);
  return { asOf, apps, allApps, silentApps, allAndHeld, teams, areas, gainsOf, metricAverages, metricsOf };
}

const areaOf: (group: Readonly<Record<"area" | "env", string>>) => string = idBy(["area", "env"]);
const teamOf: (group: Readonly<Record<"area" | "team" | "env", string>>) => string = idBy(["area", "team", "env"]);

function isScored(app: ReportedApp): app is App {
  return app.score !== null;
}

function sumOfProblems(apps: readonly Pick<App, "problems">[]): OpenProblems {
  const sum = { ...noProblems };
  for (const { problems } of apps) for (const severity of severities) sum[severity] += problems[severity];
  return sum;
}
