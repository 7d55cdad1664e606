import type { ServerRoute } from "@hapi/hapi";
import { severities } from "@maturity/core/wire";
import Joi from "joi";
import sql, { empty, raw, type Sql } from "sql-template-tag";
import { itemFields } from "../lists/items.ts";
import { tableRoute } from "../lists/table.ts";
import { dayParameter } from "../model/day.ts";
import { type Bounded, narrow } from "../model/grant.ts";
import { count, type Json, object, timeOrNull } from "../openapi/operation.ts";
import { conjunction, isOneOf, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { firstMoment, microsOf, mondayOf, startOfDay, timeOfMicros } from "../store/utc.ts";
import { type ProblemFilter, problemFilter, severityRank } from "./problems.ts";

interface OpeningQuery extends ProblemFilter {
  readonly since?: string;
}

/** The openings of the problems of a query: those that last, and the past ones. */
function openingsOf({ severity, problem_type, ...filter }: OpeningQuery, grant: Bounded): Sql {
  const wanted = [...within(narrow(grant, filter)), ...isOneOf({ severity, problem_type })];
  return sql`(
    SELECT area, env, severity, opened_at, resolved_at FROM (
      SELECT area, team, app, env, problem_type, severity, opened_at, NULL::timestamptz AS resolved_at
      FROM problems_by_name WHERE count > 0
      UNION ALL
      SELECT area, team, app, env, problem_type, past.severity, past.opened_at, past.resolved_at
      FROM problems_by_name,
        jsonb_to_recordset(past_openings) AS past (severity text, opened_at timestamptz, resolved_at timestamptz)
    ) AS openings WHERE ${conjunction(wanted)}
  )`;
}

/** SQL of the first moment of a day in UTC, or without one of the time so many days before now. */
function startOf(day: string | undefined, daysAgo: number): Sql {
  return day === undefined ? sql`clock_timestamp() - make_interval(hours => 24 * ${daysAgo}::int)` : startOfDay(day);
}

const nullableSeconds: Json = { type: ["number", "null"], minimum: 0 };
const timesSchema = object({
  area: { type: ["string", "null"], description: "Null with `by=severity`" },
  env: itemFields.env,
  severity: { enum: severities },
  open: { ...count, description: "How many are open" },
  oldest_opened_at: { ...timeOrNull, description: "Since when the oldest is open" },
  p90_opened_at: {
    ...timeOrNull,
    description: "A tenth of the open ones is older: the 90th percentile of the time that they are open",
  },
  median_opened_at: { ...timeOrNull, description: "Half of the open ones are older: the median" },
  resolved: { ...count, description: "How many times one was resolved since `since`" },
  resolved_median_seconds: { ...nullableSeconds, description: "How long these were open: the median" },
  resolved_p90_seconds: { ...nullableSeconds, description: "The 90th percentile of it" },
});

const timesExample: Json = {
  ...{ area: "shop", env: "prod", severity: "critical", open: 3, oldest_opened_at: "2025-12-01T08:15:00.000Z" },
  ...{ p90_opened_at: "2025-12-20T08:15:00.000Z", median_opened_at: "2026-02-10T08:15:00.000Z" },
  ...{ resolved: 7, resolved_median_seconds: 259_200, resolved_p90_seconds: 1_900_800 },
};

const timesOrders = {
  severity: [
    [severityRank, "bigint"],
    ["coalesce(area, '')", "text"],
    ["env", "text"],
  ],
  name: [
    ["coalesce(area, '')", "text"],
    ["env", "text"],
    [severityRank, "bigint"],
  ],
} as const;

const openedAt = (share: number) =>
  raw(
    `date_trunc('milliseconds', ${timeOfMicros(`percentile_cont(${share})
    WITHIN GROUP (ORDER BY ${microsOf("opened_at")}) FILTER (WHERE resolved_at IS NULL)`)})`,
  );

const openFor = (share: number) =>
  raw(`round((percentile_cont(${share}) WITHIN GROUP (ORDER BY extract(epoch FROM resolved_at - opened_at)::float8)
    FILTER (WHERE resolved_at >= since))::numeric)::float8`);

/** GET /problem-times */
export function problemTimesRoute(database: Database): ServerRoute {
  return tableRoute<OpeningQuery & { readonly by: "area" | "severity"; readonly sort: keyof typeof timesOrders }>(
    database,
    {
      path: "/problem-times",
      operationId: "listProblemTimes",
      summary: "How long problems are open, and how long those were that were resolved",
      parameters: {
        ...problemFilter,
        by: Joi.valid("area", "severity")
          .default("area")
          .description("`area`: an item for each area, environment and severity; `severity`: over all areas"),
        since: dayParameter.description(
          "The day, in UTC, from whose first moment on resolved ones count, such as `2026-01-31`; 90 days ago without it",
        ),
        sort: Joi.valid("severity", "name")
          .default("severity")
          .description("`severity`: the gravest first; `name`: by areas"),
      },
      item: { name: "ProblemTimes", schema: timesSchema, example: timesExample },
      select({ by, sort, since, ...query }, grant) {
        const area = by === "area" ? sql`area` : sql`NULL::text COLLATE "C"`;
        return {
          from: sql`(
            SELECT ${area} AS area, env, severity, count(*) FILTER (WHERE resolved_at IS NULL)::int AS open,
              min(opened_at) FILTER (WHERE resolved_at IS NULL) AS oldest_opened_at,
              ${openedAt(0.1)} AS p90_opened_at, ${openedAt(0.5)} AS median_opened_at,
              count(*) FILTER (WHERE resolved_at >= since)::int AS resolved,
              ${openFor(0.5)} AS resolved_median_seconds, ${openFor(0.9)} AS resolved_p90_seconds
            FROM ${openingsOf(query, grant)} AS openings, (SELECT ${startOf(since, 90)} AS since) AS period
            WHERE resolved_at IS NULL OR resolved_at >= since
            GROUP BY ${by === "area" ? sql`area, ` : empty}env, severity
          ) AS times`,
          where: [],
          order: timesOrders[sort],
          columns:
            "area, env, severity, open, oldest_opened_at, p90_opened_at, median_opened_at, resolved, resolved_median_seconds, resolved_p90_seconds",
        };
      },
    },
  );
}

/** A week of the problems of a query. */
const weekSchema = object({
  week: { type: "string", format: "date", description: "Its Monday, in UTC" },
  opened: { ...count, description: "How many problems were opened in it" },
  resolved: { ...count, description: "How many were resolved in it" },
  open: { ...count, description: "How many were open at its end; of this week, now" },
});

const usualWeeks = 12;
const maxWeeks = 104;

/** GET /problem-weeks */
export function problemWeeksRoute(database: Database): ServerRoute {
  return tableRoute<OpeningQuery & { readonly sort: "name" | "-name" }>(database, {
    path: "/problem-weeks",
    operationId: "listProblemWeeks",
    summary: "How many problems were opened and resolved each week, and how many were open at its end",
    parameters: {
      ...problemFilter,
      since: dayParameter.description(
        `A day, in UTC, of the first week, such as \`2026-01-31\`; ${usualWeeks} weeks ago without it, and at most ${maxWeeks}`,
      ),
      sort: Joi.valid("name", "-name")
        .default("name")
        .description("`name`: the earliest first; `-name`: the latest first"),
    },
    item: {
      name: "ProblemWeek",
      schema: weekSchema,
      example: { week: "2026-02-23", opened: 4, resolved: 6, open: 11 },
    },
    isEmpty: (weeks) => weeks.every(({ opened, resolved, open }) => opened === 0 && resolved === 0 && open === 0),
    select({ since, sort, ...query }, grant) {
      const start = startOf(since, 7 * usualWeeks);
      return {
        from: sql`(
          SELECT monday::text COLLATE "C" AS week, (monday - date '1970-01-01')::bigint AS place,
            count(*) FILTER (WHERE opened_at >= first AND opened_at < last)::int AS opened,
            count(*) FILTER (WHERE resolved_at >= first AND resolved_at < last)::int AS resolved,
            count(*) FILTER (WHERE opened_at < last AND coalesce(resolved_at >= last, true))::int AS open
          FROM (
            SELECT monday, ${raw(firstMoment("monday"))} AS first, ${raw(firstMoment("monday + 7"))} AS last
            FROM (SELECT ${start} AS since, clock_timestamp() AS now) AS period,
              LATERAL (SELECT ${raw(mondayOf("now"))} AS this_week, ${raw(mondayOf("since"))} AS first_week) AS ends,
              generate_series(0, least(${maxWeeks}::int, (this_week - first_week) / 7)) AS ago,
              LATERAL (SELECT this_week - 7 * ago AS monday) AS weeks
          ) AS weeks LEFT JOIN ${openingsOf(query, grant)} AS openings ON opened_at < last
          GROUP BY monday
        ) AS weeks`,
        where: [],
        order: [[sort === "name" ? "place" : "-place", "bigint"]],
        columns: "week, opened, resolved, open",
      };
    },
  });
}
