import { rollUpAreas, type Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { cacheAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { whereIn } from "../store/lines.ts";
import { namedTargets, type RollUpTarget, targetsValue } from "../store/roll-up-days.ts";
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
      const { sql, values } = isPartial ? ofApps(targets, filter, last) : ofTargets(targets, last);
      const { rows } = await orStoreError(reads.raw(sql, values as never));
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

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** SQL of the index of a day in a trend, and of whether the trend shows the day. Each `?` is the last day. */
const index = `day - ?::date + ${trendDays - 1} AS index`;
const isShown = `day BETWEEN ?::date - ${trendDays - 1} AND ?::date`;

/** A statement of the recorded scores of the targets, up to the last day. */
function ofTargets(targets: readonly RollUpTarget[], last: string): Statement {
  return {
    sql: `
      SELECT named.area, named.team, named.app, named.env, ${index}, score
      FROM ${namedTargets} AS named JOIN roll_up_days ON target_id = named.id
      WHERE ${isShown}
    `,
    values: [last, targetsValue(targets), last, last],
  };
}

/** A statement of the scores of the applications of the targets that match the filter. */
function ofApps(targets: readonly RollUpTarget[], { team, app, within = [] }: TargetFilter, last: string): Statement {
  const names = { area: targets.map(({ area }) => area), env: targets.map(({ env }) => env), team, app };
  const terms = Object.entries(names).filter(([, values]) => values !== undefined);
  const isInBounds = within.length > 0 ? whereIn(within, (field) => `${field} = ?::text`) : "true";
  return {
    sql: `
      SELECT area, team, app, env, ${index}, score
      FROM roll_up_targets_by_name AS target JOIN roll_up_days ON roll_up_days.target_id = target.id
      WHERE ${isShown} AND app IS NOT NULL AND ${terms.map(([column]) => `${column} = ANY(?::text[])`).join(" AND ")}
        AND (${isInBounds})
    `,
    values: [
      ...[last, last, last, ...terms.map(([, values]) => values)],
      ...within.flatMap((bounds) => Object.values<string>({ ...bounds })),
    ],
  };
}
