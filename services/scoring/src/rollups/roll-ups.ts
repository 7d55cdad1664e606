import { type Engine, rollUpAreas, rollUpTeams, type Severity, severities, type Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { keepAnswers } from "../store/kept.ts";
import { idBy, keepByFilter } from "./by-filter.ts";
import {
  type App,
  createOrganisationReader,
  noProblems,
  type OpenProblems,
  type Organisation,
} from "./organisation.ts";

/** The averages of a team or an area in one environment. */
interface Averages {
  readonly area: string;
  readonly env: string;
  readonly score: number;
  readonly coverage: number;
  readonly freshCoverage: number;
  readonly count: number;
  readonly lowest: number;
  readonly problems: OpenProblems;
}

export type Area = Averages;

export interface Team extends Averages {
  readonly team: string;
}

/** The roll-ups of the applications that a filter leaves, at one moment. */
export interface RollUps {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly App[];
  readonly teams: readonly Team[];
  readonly areas: readonly Area[];
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
  const rollUps = keepByFilter((apps: readonly App[], { asOf }: Organisation) => levelsOf(apps, asOf));
  return { read: async (filter) => rollUps(await latest(undefined), filter) };
}

/** Teams and areas are made when somebody asks for them. */
function levelsOf(apps: readonly App[], asOf: Date): RollUps {
  let [teams, areas]: [Team[] | undefined, Area[] | undefined] = [undefined, undefined];
  return {
    asOf,
    apps,
    get teams() {
      teams ??= withProblems(rollUpTeams(apps), apps, ["area", "team", "env"]);
      return teams;
    },
    get areas() {
      areas ??= withProblems(rollUpAreas(this.teams), this.teams, ["area", "env"]);
      return areas;
    },
  };
}

/** Adds to each group the open problems of its parts, which have the same names in these fields. */
function withProblems<
  Field extends keyof Target,
  Group extends Pick<Target, Field>,
  Part extends Pick<Target, Field> & { readonly problems: OpenProblems },
>(groups: readonly Group[], parts: readonly Part[], fields: readonly Field[]) {
  const idOf = idBy(fields);
  const sums = new Map<string, Record<Severity, number>>();
  for (const part of parts) {
    const id = idOf(part);
    const sum = sums.get(id) ?? { ...noProblems };
    for (const severity of severities) sum[severity] += part.problems[severity];
    sums.set(id, sum);
  }
  return groups.map((group) => ({ ...group, problems: sums.get(idOf(group)) ?? noProblems }));
}
