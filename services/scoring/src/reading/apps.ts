import type { ServerRoute } from "@hapi/hapi";
import type { AppLevel, AppliesRule, Engine, Level } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import Joi from "joi";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { several } from "../lists/query.ts";
import type { Streams } from "../lists/streams.ts";
import type { Json } from "../openapi/operation.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { Database } from "../store/database.ts";
import { type Detailed, readDetails } from "./app-details.ts";
import { problemColumns, problemsSchema, scorecardColumns, scorecardsSchemas, trendColumn } from "./averages.ts";
import { hasLevel, levelExample, levelParameter, levelSchema } from "./level.ts";
import { metricDetailSchema } from "./metric-detail.ts";
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
import { showRolled } from "./rolled.ts";

interface AppQuery extends RollUpQuery {
  readonly detail: boolean;
  readonly missing?: readonly string[];
  readonly level?: readonly string[];
  readonly reported?: boolean;
}

/** Few applications with details a page, since each has some 15 scores. */
const maxDetailed = 50;

function showApp(item: Changed<App | UnscoredApp> & Partial<Detailed>) {
  const { area, team, app, env, level, problems, registration, repo, oldestReportedAt, change, metrics, ...rolled } =
    item;
  return {
    area,
    team,
    app,
    env,
    ...showRolled(rolled),
    level,
    problems,
    registered: registration !== undefined,
    owner: registration?.owner ?? null,
    repo: registration?.repo ?? repo,
    tier: registration?.tier ?? null,
    labels: registration?.labels ?? {},
    oldest_reported_at: oldestReportedAt,
    ...(change !== undefined && { change }),
    ...(metrics && { metrics }),
  };
}

/** An application of GET /apps. */
type ShownApp = WithTrend<ReturnType<typeof showApp>>;

const { area, team, app, score, reported, fresh, waived, exempt, time } = itemFields;

const orNull: Json = { type: ["string", "null"] };

const appSchema: Json = changed(
  {
    ...{ area, team, app },
    env: { ...orNull, description: "Null for one that is registered and has reported nothing" },
    score: {
      ...score,
      type: ["number", "null"],
      description: "Null for one that has reported nothing, only what does not count, or only problems",
    },
    ...{ reported, fresh, waived, exempt },
    ...scorecardsSchemas,
    level: levelSchema,
    problems: problemsSchema,
    registered: { type: "boolean" },
    owner: orNull,
    repo: { ...orNull, description: "Its registered repository, or one that its reports name" },
    tier: orNull,
    labels: { type: "object", additionalProperties: { type: "string" } },
    oldest_reported_at: {
      ...time,
      ...orNull,
      description: "When the oldest of its scores was reported; null if it has none",
    },
  },
  {
    metrics: { type: "array", items: metricDetailSchema, description: "Every registered metric; only with `detail`" },
  },
);

const example: Json = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", score: 63.2 },
  ...{ reported: 0.9, fresh: 0.65, waived: 0.05, exempt: 0.1 },
  scorecards: [{ scorecard: "security", score: 53.59, reported: 1, fresh: 0.5, waived: 0, exempt: 0 }],
  unscored_scorecards: [],
  level: levelExample,
  problems: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
  ...{ registered: true, owner: "checkout", repo: "https://git.example.com/shop/cart", tier: "1", labels: {} },
  oldest_reported_at: "2026-02-11T08:15:00.000Z",
  change: -8.05,
};

const levelColumns: Columns<{ readonly level: AppLevel | null }> = {
  level: ({ level }) => level?.name,
  unmet: ({ level }) => level?.next?.unmet,
};

const names = ["area", "team", "app", "env"] as const;

/** GET /apps */
export function appsRoute(
  {
    engine,
    levels,
    applies,
    database,
    sources,
  }: {
    engine: Engine;
    levels: readonly Level[];
    applies: readonly AppliesRule[];
    database: Database;
    sources: RollUpSources;
  },
  streams: Streams,
): ServerRoute {
  const readApps = readGroup(sources, {
    group: "apps",
    names,
    show: showApp,
  });
  return listRoute<AppQuery, ShownApp>(
    {
      path: "/apps",
      operationId: "listApps",
      summary: "Applications with their scores, in each environment",
      parameters: {
        ...rollUpParameters,
        missing: several(Joi.valid(...metricIds(engine.scorecards))).description(
          "Only those that never reported one of these metrics, such as `security.dast`",
        ),
        level: levelParameter(levels),
        reported: Joi.boolean().description(
          "`false`: only those that are registered and have reported nothing, which are in no environment; `true`: only the others",
        ),
        detail: Joi.boolean()
          .default(false)
          .description(
            `Adds every registered metric, with what was reported and why it scores so; at most ${maxDetailed} a page`,
          ),
      },
      limitOf: (query) => (query.detail ? maxDetailed : limitWith(query)),
      item: {
        name: "AppScore",
        schema: appSchema,
        example,
      },
      columns: (query) => ({
        ...fields("area", "team", "app", "env", "score", "change", "reported", "fresh", "waived", "exempt"),
        ...scorecardColumns(engine),
        ...levelColumns,
        ...problemColumns,
        ...fields("registered", "owner", "repo", "tier", "labels", "oldest_reported_at"),
        ...trendColumn(query),
        ...(query.detail && fields("metrics")),
      }),
      read: ({ detail, missing, level, reported, ...query }, grant, paging) =>
        readApps(query, grant, paging, {
          holds: (app) =>
            hasLevel(app.level, level) &&
            (!missing || missing.some((metric) => app.missing.includes(metric))) &&
            (reported === undefined || reported === (app.env !== null)),
          reread: detail ? (apps) => readDetails({ database, engine, levels, applies }, apps) : undefined,
        }),
    },
    streams,
  );
}
