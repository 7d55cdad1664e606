import { type Engine, rollUpAreas, rollUpTeams, type Severity, severities, type Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { keepAnswers } from "../store/kept.ts";
import { type App, noProblems, type OpenProblems, type Organisation, readOrganisation } from "./organisation.ts";

/** How many filters of each reading are kept. */
const maxKept = 100;

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
  const latest = keepAnswers(
    () => readOrganisation(database, engine),
    () => "",
  );
  /** The roll-ups made from a reading, by filter. They go with it. */
  const made = new WeakMap<Organisation, Map<string, RollUps>>();

  return {
    async read(filter) {
      const organisation = await latest(undefined);
      const kept = made.get(organisation) ?? new Map<string, RollUps>();
      made.set(organisation, kept);
      const key = filterKey(filter);
      const found = kept.get(key) ?? rollUps(organisation, filter);
      if (kept.size < maxKept) kept.set(key, found);
      return found;
    },
  };
}

/** Tells filters apart. */
export function filterKey({ area, team, app, env }: TargetFilter): string {
  return JSON.stringify([area, team, app, env]);
}

function rollUps({ asOf, apps: all }: Organisation, filter: TargetFilter): RollUps {
  const wanted = Object.entries(filter).map(([field, values]) => [field as keyof Target, new Set(values)] as const);
  const apps =
    wanted.length === 0 ? all : all.filter((app) => wanted.every(([field, values]) => values.has(app[field])));
  const teams = withProblems(rollUpTeams(apps), apps, ["area", "team", "env"]);
  const areas = withProblems(rollUpAreas(teams), teams, ["area", "env"]);
  return { asOf, apps, teams, areas };
}

/** Adds to each group the open problems of its parts, which have the same names in these fields. */
function withProblems<
  Field extends keyof Target,
  Group extends Pick<Target, Field>,
  Part extends Pick<Target, Field> & { readonly problems: OpenProblems },
>(groups: readonly Group[], parts: readonly Part[], fields: readonly Field[]) {
  const idOf = (item: Pick<Target, Field>) => JSON.stringify(fields.map((field) => item[field]));
  const sums = new Map<string, Record<Severity, number>>();
  for (const part of parts) {
    const id = idOf(part);
    const sum = sums.get(id) ?? { ...noProblems };
    for (const severity of severities) sum[severity] += part.problems[severity];
    sums.set(id, sum);
  }
  return groups.map((group) => ({ ...group, problems: sums.get(idOf(group)) ?? noProblems }));
}
