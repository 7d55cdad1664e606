import { rollUpAreas, type Target } from "@maturity/core";
import sql, { type Sql } from "sql-template-tag";
import type { TargetFilter } from "../model/target-filter.ts";
import { cacheAnswers } from "../store/cache.ts";
import { conjunction, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { namedTargets, type RollUpTarget } from "../store/roll-up-days.ts";
import { query } from "../store/sql.ts";
import { asDay } from "../store/utc.ts";
import { averageTeams } from "./recorded-days.ts";

/** The number of days of a trend. */
export const trendDays = 30;

/** The recorded scores of the last days, the oldest first; null for a day without one. */
export type Trend = readonly (number | null)[];

/** Reads trends. */
export interface TrendReader {
  /**
   * The trends of a few targets of one kind, in their order, at most 15 seconds old. Those of teams and areas average
   * only the applications that match the filter.
   *
   * @param last the last day, such as 2026-01-31
   * @throws ServiceError `store-unavailable`
   */
  read(targets: readonly RollUpTarget[], filter: TargetFilter, last: string): Promise<Trend[]>;
}

export function createTrendReader({ reads }: Database): TrendReader {
  const read = cacheAnswers(
    async ({ targets, filter, last }: Question) => {
      const trends = new Map(targets.map((target) => [idOf(target), new Array<number | null>(trendDays).fill(null)]));
      const isOfTeams = targets[0]?.team !== undefined;
      const isPartial = targets[0]?.app === undefined && isOfParts(filter, isOfTeams);
      const source = isPartial ? appsOf(targets, filter) : sql`${namedTargets(targets)} AS named`;
      const rows = await orStoreError(
        query(reads)`
          SELECT named.area, named.team, named.app, named.env, score,
            day - ${asDay(last)} + ${trendDays - 1}::int AS index
          FROM ${source} JOIN roll_up_days ON roll_up_days.target_id = named.id
          WHERE day BETWEEN ${asDay(last)} - ${trendDays - 1}::int AND ${asDay(last)}
        `,
      );
      const days = Map.groupBy(rows as (Target & Recorded)[], ({ index }) => index);
      for (const [index, found] of days) {
        const teams = isPartial ? averageTeams(found) : [];
        const scores = isPartial ? (isOfTeams ? teams : rollUpAreas(teams)) : found;
        for (const one of scores) trends.get(idOf(one))?.splice(index, 1, one.score);
      }
      return [...trends.values()];
    },
    ({ targets, filter, last }) => JSON.stringify([targets.map(idOf), filter, last]),
  );
  return { read: (targets, filter, last) => read({ targets, filter, last }) };
}

/** Whether a filter can leave a part of a team, or of an area, out. */
function isOfParts({ team, app, within = [] }: TargetFilter, isOfTeams: boolean): boolean {
  const bound = [{ team, app }, ...within];
  return bound.some(({ team, app }) => app !== undefined || (!isOfTeams && team !== undefined));
}

interface Question {
  readonly targets: readonly RollUpTarget[];
  readonly filter: TargetFilter;
  readonly last: string;
}

/** A recorded score, and the index of its day in a trend. */
interface Recorded {
  readonly index: number;
  readonly score: number;
}

/** A text that two targets share only if they are the same. */
function idOf({
  area,
  team,
  app,
  env,
}: { readonly [Field in keyof RollUpTarget]?: RollUpTarget[Field] | null }): string {
  return JSON.stringify([area, team ?? null, app ?? null, env]);
}

/** SQL of the applications of the targets that match the filter. */
function appsOf(targets: readonly RollUpTarget[], filter: TargetFilter): Sql {
  const wanted = within({ ...filter, area: targets.map(({ area }) => area), env: targets.map(({ env }) => env) });
  return sql`(SELECT * FROM roll_up_targets_by_name WHERE app IS NOT NULL AND ${conjunction(wanted)}) AS named`;
}
