import { type Engine, rollUpAreas, rollUpTeams, type ScorecardScore, severities, type Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { keepAnswers } from "../store/kept.ts";
import { keepByFilter } from "./by-filter.ts";
import { groupsBy, once } from "./groups.ts";
import {
  type App,
  createOrganisationReader,
  noProblems,
  type OpenProblems,
  type Organisation,
} from "./organisation.ts";
import { createScorecardAverage } from "./scorecards.ts";

/** The averages of a team or an area in one environment. */
interface Averages {
  readonly area: string;
  readonly env: string;
  readonly score: number;
  readonly coverage: number;
  readonly freshCoverage: number;
  readonly waived: number;
  readonly count: number;
  readonly lowest: number;
  readonly problems: OpenProblems;
  /** Those with at least one reported metric, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
  /** The number of applications below it. */
  readonly apps: number;
}

export type Area = Averages;

export interface Team extends Averages {
  readonly team: string;
}

/** The roll-ups of the applications that a filter leaves, at one moment. Each level is made when somebody asks for it. */
export interface RollUps {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: () => Promise<readonly App[]>;
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
export function createRollUpReader(database: Database, engine: Engine): RollUpReader {
  const latest = keepAnswers(createOrganisationReader(database, engine), () => "");
  const scorecardsOf = createScorecardAverage(engine);
  const rollUps = keepByFilter((apps: readonly App[], { asOf }: Organisation) => levelsOf(apps, asOf, scorecardsOf));
  return { read: async (filter) => rollUps(await latest(undefined), filter) };
}

type ScorecardAverage = ReturnType<typeof createScorecardAverage>;

function levelsOf(apps: readonly App[], asOf: Date, scorecardsOf: ScorecardAverage): RollUps {
  const teams = once(() => averagesOf(apps, ["area", "team", "env"], rollUpTeams, scorecardsOf));
  const areas = once(async () => averagesOf(await teams(), ["area", "env"], rollUpAreas, scorecardsOf));
  return { asOf, apps: async () => apps, teams, areas };
}

/** What the averages of core lack. */
type Added = Pick<Averages, "problems" | "scorecards" | "apps">;

/** Averages the parts with the same names in these fields, and adds up their open problems and their applications. */
async function averagesOf<
  Field extends keyof Target,
  Part extends Readonly<Record<Field, string>> & Pick<Added, "problems" | "scorecards"> & Partial<Added>,
  Average extends object,
>(
  parts: readonly Part[],
  fields: readonly Field[],
  average: (parts: readonly Part[]) => Average[],
  scorecardsOf: ScorecardAverage,
): Promise<(Average & Added)[]> {
  const all: (Average & Added)[] = [];
  for await (const group of groupsBy(parts, fields)) {
    const problems = { ...noProblems };
    for (const part of group) for (const severity of severities) problems[severity] += part.problems[severity];
    const apps = group.reduce((sum, { apps = 1 }) => sum + apps, 0);
    for (const one of average(group)) all.push({ ...one, problems, scorecards: scorecardsOf(group), apps });
  }
  return all;
}
