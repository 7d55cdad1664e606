import { rollUpAreas, rollUpTeams, type Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { filterKey } from "../rollups/roll-ups.ts";
import { type Database, storeError } from "../store/database.ts";
import { keepAnswers } from "../store/kept.ts";

/** A score of a day. */
export interface PastScore extends Pick<Target, "area" | "env">, Partial<Pick<Target, "team" | "app">> {
  readonly score: number;
}

/** The roll-ups of a day. */
export interface PastRollUps {
  readonly apps: readonly PastScore[];
  readonly teams: readonly PastScore[];
  readonly areas: readonly PastScore[];
}

/** Reads recorded roll-ups, at most 15 seconds old. */
export interface PastReader {
  /**
   * The roll-ups of the first moment of a day in UTC, of the applications that a filter leaves. Teams and areas average
   * these alone, as those of today do.
   *
   * @param day such as 2026-01-31
   * @returns nothing of a day that is not recorded
   * @throws ServiceError `store-unavailable`
   */
  read(day: string, filter: TargetFilter): Promise<PastRollUps>;
}

export function createPastReader(database: Database): PastReader {
  const read = keepAnswers(
    ({ day, filter }: { day: string; filter: TargetFilter }) => readPast(database, day, filter),
    ({ day, filter }) => day + filterKey(filter),
  );
  return { read: (day, filter) => read({ day, filter }) };
}

async function readPast({ reads }: Database, day: string, filter: TargetFilter): Promise<PastRollUps> {
  const wanted = Object.entries(filter);
  const { rows } = await reads
    .raw(
      `SELECT area, team, app, env, score FROM roll_up_days JOIN roll_up_targets ON id = target_id
       WHERE day = ?::text::date AND app IS NOT NULL
         ${wanted.map(([column]) => `AND ${column} = ANY(?::text[])`).join(" ")}`,
      [day, ...wanted.map(([, values]) => values)],
    )
    .catch((error: unknown) => {
      throw storeError(error);
    });
  // Only scores are compared.
  const apps = rows.map((row: Target & { score: number }) => ({ ...row, coverage: 0, freshCoverage: 0 }));
  const teams = rollUpTeams(apps);
  return { apps, teams, areas: rollUpAreas(teams) };
}
