import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { count, type Json, object } from "../openapi/operation.ts";
import type { GroupGains } from "../rollups/group-gains.ts";
import type { MetricShares } from "../rollups/metric-averages.ts";
import type { OpenProblems } from "../rollups/organisation.ts";
import type { Area, RollUps, Team } from "../rollups/roll-ups.ts";
import { detailParameter, gainsSchema, showGains } from "./group-gains.ts";
import { levelsExample, levelsSchema } from "./level.ts";
import {
  type Changed,
  changed,
  limitWith,
  type RollUpQuery,
  type RollUpSources,
  readGroup,
  rollUpParameters,
  type WithTrend,
} from "./roll-up-list.ts";
import { type ShownRollUp, showRolled } from "./rolled.ts";
import { metricColumns, metricsParameter, metricsSchema } from "./team-metrics.ts";

/** The open problems of an item, as JSON Schema. */
export const problemsSchema: Json = {
  ...object(Object.fromEntries(severities.map((severity) => [severity, count]))),
  description: "How many problems are open, by severity",
};

const { scorecard, score, reported, fresh, waived, exempt } = itemFields;

/** The scorecards of an item, as JSON Schemas. */
export const scorecardsSchemas: Readonly<Record<"scorecards" | "unscored_scorecards", Json>> = {
  scorecards: {
    ...{ type: "array", items: object({ scorecard, score, reported, fresh, waived, exempt }) },
    description: "Those with at least one metric that reported and counts",
  },
  unscored_scorecards: {
    ...{ type: "array", items: object({ scorecard, waived, exempt }) },
    description: "Those without a score of which something is waived or exempt; the two add up to 1 where it is all",
  },
};

const averageSchema = {
  score: { ...itemFields.score, description: "The plain average" },
  reported: itemFields.reported,
  fresh: itemFields.fresh,
  waived: itemFields.waived,
  exempt: itemFields.exempt,
  thin: itemFields.thin,
  count: { ...count, minimum: 1, description: "How many scores it averages" },
  lowest: { ...itemFields.score, description: "The lowest of them" },
  ...scorecardsSchemas,
  levels: levelsSchema,
  problems: {
    ...problemsSchema,
    description: "How many problems are open, by severity; also those of applications without a score",
  },
  registered: {
    ...count,
    description: "How many of its applications are registered, whether or not they have reported",
  },
  unreported: { ...count, description: "How many of those have reported nothing, in any environment" },
};

const apps = { ...count, minimum: 1, description: "The number of its applications that have a score" };

const averageExample = {
  ...{ score: 71.4, reported: 0.93, fresh: 0.8, waived: 0.02, exempt: 0.1, thin: false },
  ...{ count: 12, lowest: 34.25 },
  scorecards: [{ scorecard: "security", score: 66.1, reported: 1, fresh: 0.9, waived: 0, exempt: 0 }],
  unscored_scorecards: [{ scorecard: "reliability", waived: 0.5, exempt: 0.5 }],
  levels: levelsExample,
  problems: { critical: 1, high: 4, medium: 0, low: 2, info: 0 },
  ...{ registered: 60, unreported: 3, change: -2.5 },
};

type WithGains<Group> = Changed<Group> & { readonly gains?: GroupGains };

function averageOf({
  count,
  lowest,
  levels,
  problems,
  registered,
  unreported,
  change,
  gains,
  ...rolled
}: WithGains<Area>) {
  const shown = { ...showRolled(rolled), count, lowest, levels, problems, registered, unreported };
  return { ...shown, ...(change !== undefined && { change }), ...(gains && { gains: showGains(gains) }) };
}

function showArea(area: WithGains<Area>) {
  return { area: area.area, env: area.env, ...averageOf(area), apps: area.apps };
}

function showTeam({ metrics, ...team }: WithGains<Team> & { readonly metrics?: readonly MetricShares[] }) {
  const names = { area: team.area, team: team.team, env: team.env };
  return { ...names, ...averageOf(team), ...(metrics && { metrics }) };
}

/** A column for each severity. */
export const problemColumns: Columns<{ readonly problems: OpenProblems }> = Object.fromEntries(
  severities.map((severity) => [`problems_${severity}`, ({ problems }) => problems[severity]]),
);

type Scorecards = Pick<ShownRollUp, "scorecards" | "unscored_scorecards">;

/** Five columns for each scorecard. */
export function scorecardColumns({ scorecards }: Engine): Columns<Scorecards> {
  const columns = scorecards.flatMap(({ name }) =>
    (["score", "reported", "fresh", "waived", "exempt"] as const).map((field) => [
      `${name}_${field}`,
      (item: Scorecards) => {
        const scored = item.scorecards.find(({ scorecard }) => scorecard === name);
        const unscored = scored ? undefined : item.unscored_scorecards.find(({ scorecard }) => scorecard === name);
        return field === "waived" || field === "exempt" ? (scored ?? unscored)?.[field] : scored?.[field];
      },
    ]),
  );
  return Object.fromEntries(columns);
}

function averageColumns(engine: Engine): Columns<ReturnType<typeof averageOf>> {
  return {
    ...fields(
      "score",
      "change",
      "reported",
      "fresh",
      "waived",
      "exempt",
      "thin",
      "count",
      "lowest",
      "registered",
      "unreported",
    ),
    ...scorecardColumns(engine),
    ...fields("levels"),
    ...problemColumns,
  };
}

/** The column of the trend, if the query wants it. */
export function trendColumn({ trend }: Pick<RollUpQuery, "trend">): Columns<WithTrend<object>> {
  return trend ? fields("trend") : {};
}

/** GET /areas */
export function areasRoute(engine: Engine, sources: RollUpSources): ServerRoute {
  const readAreas = readGroup(sources, {
    itemsOf: ({ areas }) => areas(),
    group: "areas",
    names: ["area", "env"],
    show: showArea,
  });
  return listRoute<RollUpQuery, WithTrend<ReturnType<typeof showArea>>>({
    path: "/areas",
    operationId: "listAreas",
    summary: "Areas with their scores: the averages of their teams",
    parameters: { ...rollUpParameters, detail: detailParameter },
    item: {
      name: "AreaScore",
      schema: changed({ area: itemFields.area, env: itemFields.env, ...averageSchema, apps }, { gains: gainsSchema }),
      example: { area: "shop", env: "prod", ...averageExample, apps: 60 },
    },
    limitOf: limitWith,
    columns: (query) => ({
      ...fields("area", "env"),
      ...averageColumns(engine),
      ...fields("apps"),
      ...trendColumn(query),
      ...(query.detail && fields("gains")),
    }),
    read: (query, grant, paging) =>
      readAreas(query, grant, paging, {
        complete: query.detail ? async (area, { gainsOf }) => ({ ...area, gains: await gainsOf(area) }) : undefined,
      }),
  });
}

/** GET /teams */
export function teamsRoute(engine: Engine, sources: RollUpSources): ServerRoute {
  const readTeams = readGroup(sources, {
    itemsOf: ({ teams }) => teams(),
    group: "teams",
    names: ["area", "team", "env"],
    show: showTeam,
  });
  return listRoute<RollUpQuery, WithTrend<ReturnType<typeof showTeam>>>({
    path: "/teams",
    operationId: "listTeams",
    summary: "Teams with their scores: the averages of their applications",
    parameters: { ...rollUpParameters, metrics: metricsParameter, detail: detailParameter },
    item: {
      name: "TeamScore",
      schema: changed(
        { area: itemFields.area, team: itemFields.team, env: itemFields.env, ...averageSchema },
        { metrics: metricsSchema, gains: gainsSchema },
      ),
      example: { area: "shop", team: "checkout", env: "prod", ...averageExample },
    },
    limitOf: limitWith,
    columns: (query) => ({
      ...fields("area", "team", "env"),
      ...averageColumns(engine),
      ...trendColumn(query),
      ...(query.metrics && metricColumns(engine)),
      ...(query.detail && fields("gains")),
    }),
    read: (query, grant, paging) => {
      const complete = async (team: Team, { gainsOf, metricsOf }: RollUps): Promise<Team> => ({
        ...team,
        ...(query.detail && { gains: await gainsOf(team) }),
        ...(query.metrics && { metrics: await metricsOf(team) }),
      });
      return readTeams(query, grant, paging, { complete: query.detail || query.metrics ? complete : undefined });
    },
  });
}
