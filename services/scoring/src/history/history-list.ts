import type { ServerRoute } from "@hapi/hapi";
import type { Engine, Fault } from "@maturity/core";
import Joi from "joi";
import sql, { raw, type Sql } from "sql-template-tag";
import { during, type Period, periodFaults, periodParameters } from "../lists/period.ts";
import { flag } from "../lists/query.ts";
import { byNames, type Order, type Selection, tableRoute } from "../lists/table.ts";
import { name } from "../model/fields.ts";
import { type Bounded, requireWithin } from "../model/grant.ts";
import type { Json } from "../openapi/operation.ts";
import { conjunction, isInAny } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { liveTargets, namedTargets } from "../store/roll-up-days.ts";
import { firstMoment, microsOf } from "../store/utc.ts";
import { changeColumns, dayColumns, shownExample, shownSchema } from "./history-items.ts";

interface HistoryQuery extends Period {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly changes: boolean;
  readonly scorecard?: string;
  readonly metric?: string;
  readonly sort: "at" | "-at";
}

/** SQL of the time in microseconds: a whole number, for cursors. */
const time = microsOf("at");

/** Further sort columns, since metrics can change at the same time. */
const metricNames = byNames("scorecard", "metric");

function orderOf(query: HistoryQuery): Order {
  return [[query.sort === "-at" ? `-${time}` : time, "bigint"], ...(wantsChanges(query) ? metricNames : [])];
}

function wantsChanges({ changes, metric }: HistoryQuery): boolean {
  return changes || metric !== undefined;
}

/** The sources of the history. */
interface HistorySources {
  readonly engine: Engine;
  readonly database: Database;
  readonly historyDays: number;
}

/** GET /history */
export function historyRoute({ engine, database, historyDays }: HistorySources): ServerRoute {
  return tableRoute<HistoryQuery>(database, {
    path: "/history",
    operationId: "listHistory",
    summary:
      "The changes of the scores of one application or one metric, or the daily roll-ups of one application, team or area, or of the organisation",
    parameters: {
      area: name(200).description(
        "The area; without it the roll-ups are the average of the areas, from what the caller may read of them",
      ),
      team: name(200).description("The team; without it the roll-ups are those of the area"),
      app: name(200).description("The application; without it the roll-ups are those of the team or the area"),
      env: name(200).required().description("The environment"),
      changes: flag("The changes of all metrics of the application, instead of its roll-ups"),
      scorecard: Joi.string().max(200).description("The scorecard; together with `metric`"),
      metric: Joi.string().max(200).description("The only metric whose changes are wanted, instead of roll-ups"),
      ...periodParameters,
      sort: Joi.valid("at", "-at").default("at").description("`at`: the oldest first; `-at`: the latest first"),
    },
    check,
    item: { name: "HistoryEntry", schema: shownSchema, example: shownExample },
    columns: (query) => ({
      ...(wantsChanges(query) ? changeColumns : dayColumns),
      // What was asked for: the lines have no names of their own.
      ...{ area: () => query.area, team: () => query.team, app: () => query.app, env: () => query.env },
    }),
    select(query, grant) {
      const { area, team = "", app = "" } = query;
      if (area !== undefined) requireWithin(grant, { area, team, app });
      const { from, columns } = sourceOf(query, engine, grant);
      const where = [...during(query), ...(historyDays === 0 ? [sql`false`] : [])];
      return { from, where, order: orderOf(query), columns };
    },
    show: withoutNull,
  });
}

/** The faults of names that are missing, and of a period that cannot be read. */
function check(query: HistoryQuery): Fault[] {
  const { names, message } = neededBy(query);
  const missing = names.filter((path) => query[path] === undefined).map((path) => ({ path, message }));
  return [...missing, ...periodFaults(query)];
}

interface Needed {
  readonly names: readonly ("area" | "team" | "app" | "scorecard" | "metric")[];
  /** Why they are required. */
  readonly message: string;
}

function neededBy({ team, app, changes, scorecard, metric }: HistoryQuery): Needed {
  if (scorecard !== undefined || metric !== undefined) {
    return {
      names: ["area", "team", "app", "scorecard", "metric"],
      message: "is required for the history of a metric",
    };
  }
  if (changes) return { names: ["area", "team", "app"], message: "is required with changes" };
  if (app !== undefined) return { names: ["area", "team"], message: "is required with app" };
  return { names: team === undefined ? [] : ["area"], message: "is required with team" };
}

type Source = Pick<Selection, "from" | "columns">;

function sourceOf(query: HistoryQuery, engine: Engine, grant: Bounded): Source {
  const { area } = query;
  if (area === undefined) return organisationDays(query.env, grant);
  return wantsChanges(query) ? changes({ ...query, area }, engine) : days({ ...query, area });
}

/** The query of something in an area. */
type InArea = HistoryQuery & { readonly area: string };

/** The changes of one metric, or of all installed ones. */
function changes({ area, team = "", app = "", env, scorecard, metric }: InArea, { scorecards }: Engine): Source {
  const wanted =
    scorecard !== undefined && metric !== undefined
      ? [[scorecard, metric]]
      : scorecards.flatMap(({ name, metrics }) => metrics.map((one) => [name, one.name]));
  return {
    from: sql`(
      SELECT score_changes.*, scorecard, metric
      FROM score_changes JOIN scores_by_name USING (target_id, metric_id)
      WHERE (area, team, app, env) = (${area}::text, ${team}::text, ${app}::text, ${env}::text)
        AND (scorecard, metric) IN (SELECT * FROM unnest(
          ${wanted.map(([scorecard]) => scorecard)}::text[], ${wanted.map(([, metric]) => metric)}::text[]
        ))
    ) AS changes`,
    columns: "at, scorecard, metric, score::float8 AS score, former::float8 AS former, scorer, cause",
  };
}

function days({ area, team, app, env }: InArea): Source {
  return {
    from: sql`(
      SELECT roll_up_days.*, ${raw(firstMoment("day"))} AS at
      FROM roll_up_days JOIN ${namedTargets([{ area, team, app, env }])} AS named ON named.id = target_id
      WHERE app IS NULL OR named.id IN (SELECT id FROM roll_up_targets WHERE target_id IN (${raw(liveTargets)}))
    ) AS days`,
    columns: rollUpColumns,
  };
}

const rollUpColumns = "at, score, reported, fresh, waived, exempt, count, lowest";

const averages = raw(
  ["score", "reported", "fresh", "waived", "exempt"].map((one) => `avg(${one}) AS ${one}`).join(", "),
);

/**
 * The average of the areas on each day. Whoever may read only parts of areas gets that of these parts: of the teams as they
 * are recorded, and of the applications in other teams.
 */
function organisationDays(env: string, { parts }: Bounded): Source {
  const bounds = parts.map((part) => part.bounds);
  const isOfAreas = bounds.every(({ team, app }) => team === undefined && app === undefined);
  const isIn = (some: typeof bounds) =>
    some.length === 0 ? sql`false` : conjunction(isInAny(some, (field, value) => sql`named.${field} = ${value}`));
  const rows = (wanted: Sql) => sql`SELECT area, team, day, score, reported, fresh, waived, exempt
    FROM roll_up_days JOIN roll_up_targets_by_name AS named ON named.id = roll_up_days.target_id
    WHERE named.env = ${env}::text AND ${wanted}`;
  const inGroups = isIn(bounds.filter(({ app }) => app === undefined));
  const inApps = isIn(bounds.filter(({ app }) => app !== undefined));
  const teams = sql`${rows(sql`named.target_id IS NULL AND named.team IS NOT NULL AND ${inGroups}`)}
    UNION ALL SELECT area, team, day, ${averages} FROM (
      ${rows(sql`named.target_id IN (${raw(liveTargets)}) AND ${inApps} AND NOT ${inGroups}`)}
    ) AS apps GROUP BY area, team, day`;
  const areas = isOfAreas
    ? rows(sql`named.target_id IS NULL AND named.team IS NULL AND ${inGroups}`)
    : sql`SELECT area, day, ${averages} FROM (${teams}) AS teams GROUP BY area, day`;
  return {
    from: sql`(
      SELECT ${raw(firstMoment("day"))} AS at, ${averages}, count(*)::int AS count, min(score) AS lowest
      FROM (${areas}) AS areas GROUP BY day
    ) AS days`,
    columns: rollUpColumns,
  };
}

/** Leaves out `count` and `lowest` where they are null, as for an application. */
function withoutNull(item: Json): Json {
  return Object.fromEntries(
    Object.entries(item).filter(([field, value]) => value !== null || (field !== "count" && field !== "lowest")),
  );
}
