import type { Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { storeError } from "../store/failures.ts";
import { keepAnswers } from "../store/kept.ts";
import { namedBy, namedTargets } from "../store/roll-up-days.ts";

/** How many days a trend has. */
export const trendDays = 30;

/** What a trend is of: an area, a team or an application in one environment. */
export type TrendTarget = Pick<Target, "area" | "env"> & Partial<Pick<Target, "team" | "app">>;

/** The recorded scores of the last days, the oldest first; null for a day without one. */
export type Trend = readonly (number | null)[];

/** Reads trends. */
export interface TrendReader {
  /**
   * The trends of a few targets of one level, in their order. Of teams and areas they average the applications that the
   * filter leaves, and no others, as the scores of now do. They are at most 15 seconds old, as those are.
   *
   * @param last the last day, such as 2026-01-31
   * @throws ServiceError `store-unavailable`
   */
  read(targets: readonly TrendTarget[], filter: TargetFilter, last: string): Promise<Trend[]>;
}

export function createTrendReader({ reads }: Database): TrendReader {
  const read = keepAnswers(
    async ({ targets, filter, last }: Question) => {
      const { sql, values } = isPartial(targets, filter) ? averaged(targets, filter, last) : recorded(targets, last);
      const { rows } = await reads.raw(sql, values as never).catch((error: unknown) => {
        throw storeError(error);
      });
      const trends = new Map(targets.map((target) => [idOf(target), new Array<number | null>(trendDays).fill(null)]));
      for (const { target, place, score, ...names } of rows) {
        trends.get(idOf(targets[target] ?? names))?.splice(place, 1, score);
      }
      return [...trends.values()];
    },
    ({ targets, filter, last }) => JSON.stringify([targets.map(idOf), filter, last]),
  );
  return { read: (targets, filter, last) => read({ targets, filter, last }) };
}

interface Question {
  readonly targets: readonly TrendTarget[];
  readonly filter: TargetFilter;
  readonly last: string;
}

/** Does the filter leave only some of the applications of the targets? */
function isPartial([first]: readonly TrendTarget[], filter: TargetFilter): boolean {
  return (
    (first?.team === undefined && filter.team !== undefined) || (first?.app === undefined && filter.app !== undefined)
  );
}

function idOf({ area, team, app, env }: { [Field in keyof TrendTarget]: TrendTarget[Field] | null }): string {
  return JSON.stringify([area, team ?? null, app ?? null, env]);
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The place of a day in a trend, and which days have one. Each `?` is the last day. */
const place = `day - ?::date + ${trendDays - 1} AS place`;
const isShown = `day BETWEEN ?::date - ${trendDays - 1} AND ?::date`;

function recorded(targets: readonly TrendTarget[], last: string): Statement {
  return {
    sql: `
      SELECT named.place AS target, ${place}, score
      FROM ${namedTargets} AS named JOIN roll_up_days ON target_id = named.id
      WHERE ${isShown}
    `,
    values: [last, namedBy(targets), last, last],
  };
}

function averaged(targets: readonly TrendTarget[], filter: TargetFilter, last: string): Statement {
  const isOfTeams = targets[0]?.team !== undefined;
  const teams = isOfTeams ? targets.map(({ team }) => team) : (filter.team ?? null);
  const ofTeams = `
    SELECT area, team, env, place, avg(score) AS score
    FROM (
      SELECT area, team, env, ${place}, score
      FROM roll_up_targets_by_name AS target JOIN roll_up_days ON roll_up_days.target_id = target.id
      WHERE ${isShown} AND app IS NOT NULL AND area = ANY(?::text[]) AND env = ANY(?::text[])
        AND (?::text[] IS NULL OR team = ANY(?::text[])) AND (?::text[] IS NULL OR app = ANY(?::text[]))
    ) AS apps
    GROUP BY area, team, env, place
  `;
  const [areas, envs, apps] = [targets.map(({ area }) => area), targets.map(({ env }) => env), filter.app ?? null];
  return {
    sql: isOfTeams
      ? ofTeams
      : `SELECT area, env, place, avg(score) AS score FROM (${ofTeams}) AS teams GROUP BY area, env, place`,
    values: [last, last, last, areas, envs, teams, teams, apps, apps],
  };
}
