import type { ServerRoute } from "@hapi/hapi";
import type { AppLevel } from "@maturity/core";
import type { Lacks } from "@maturity/core/wire";
import Joi from "joi";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { flag } from "../lists/query.ts";
import { type Json, textOrNull, timeOrNull } from "../openapi/operation.ts";
import { oldestReportedAt } from "../rollups/metric-scores.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import { type Detailed, type DetailSources, readDetails } from "./app-details.ts";
import { type AppFilter, appFilterParameters, appStates, createAppFilter, stateOf } from "./app-filter.ts";
import { problemColumns, problemsSchema, scorecardColumns, scorecardsSchemas, trendColumn } from "./averages.ts";
import { createLacks, lacksExample, lacksSchema, levelExample, levelSchema } from "./level.ts";
import { metricDetailSchema } from "./metric-detail.ts";
import {
  type Changed,
  changed,
  limitWith,
  maxDetailed,
  type RollUpQuery,
  type RollUpSources,
  readGroup,
  rollUpParameters,
  type Sort,
  sortDescription,
  sorts,
  type WithTrend,
} from "./roll-up-list.ts";
import { showRolled } from "./rolled.ts";

interface AppQuery extends Omit<RollUpQuery, "sort">, AppFilter {
  readonly sort: Sort | "lacks";
  readonly lacks: boolean;
}

/** What a list may add to an application. */
type Added = Partial<Pick<Detailed, "metrics">> & { readonly lacks?: Lacks | null };

function showApp(item: Changed<App | UnscoredApp> & Added) {
  const { area, team, app, env, level, problems, registration, repo, ...more } = item;
  const { change, lacks, metrics, ...rolled } = more;
  return {
    area,
    team,
    app,
    env,
    ...showRolled(rolled),
    state: stateOf(item),
    level,
    problems,
    registered: registration !== undefined,
    owner: registration?.owner ?? null,
    repo: registration?.repo ?? repo,
    tier: registration?.tier ?? null,
    labels: registration?.labels ?? {},
    oldest_reported_at: oldestReportedAt(item.metricScores),
    ...(change !== undefined && { change }),
    ...(lacks !== undefined && { lacks }),
    ...(metrics && { metrics }),
  };
}

/** An application of GET /apps. */
type ShownApp = WithTrend<ReturnType<typeof showApp>>;

const { area, team, app, score, reported, fresh, waived, exempt, thin } = itemFields;

const appSchema: Json = changed(
  {
    ...{ area, team, app },
    env: { ...textOrNull, description: "Null for one that is registered and has reported nothing" },
    score: {
      ...score,
      type: ["number", "null"],
      description: "Null for one that has reported nothing, only what does not count, or only problems",
    },
    ...{ reported, fresh, waived, exempt, thin },
    ...scorecardsSchemas,
    state: {
      enum: appStates,
      description:
        "`fresh`: no result that counts is stale; `stale`: at least one is; `silent`: no result; `held`: it reported, waits to be registered, and counts nowhere",
    },
    level: levelSchema,
    problems: problemsSchema,
    registered: { type: "boolean" },
    owner: textOrNull,
    repo: { ...textOrNull, description: "Its registered repository, or one that its reports name" },
    tier: textOrNull,
    labels: { type: "object", additionalProperties: { type: "string" } },
    oldest_reported_at: {
      ...timeOrNull,
      description: "When the oldest of its results was measured; null if it has none",
    },
  },
  {
    lacks: lacksSchema,
    metrics: { type: "array", items: metricDetailSchema, description: "Every installed metric; only with `detail`" },
  },
);

const example: Json = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", score: 63.2 },
  ...{ reported: 0.9, fresh: 0.65, waived: 0.05, exempt: 0.1, thin: false },
  scorecards: [{ scorecard: "security", score: 53.59, reported: 1, fresh: 0.5, waived: 0, exempt: 0 }],
  unscored_scorecards: [],
  state: "stale",
  level: levelExample,
  problems: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
  ...{ registered: true, owner: "checkout", repo: "https://git.example.com/shop/cart", tier: "1", labels: {} },
  oldest_reported_at: "2026-02-11T08:15:00.000Z",
  change: -8.05,
  lacks: lacksExample,
};

const levelColumns: Columns<{ readonly level: AppLevel | null }> = {
  level: ({ level }) => level?.name,
  unmet: ({ level }) => level?.next?.unmet,
};

/** The columns of what is lacking: how many conditions, how much in all, and each in words. */
const lacksColumns: Columns<{ readonly lacks?: Lacks | null }> = {
  lacks_level: ({ lacks }) => lacks?.level,
  lacks_conditions: ({ lacks }) => lacks?.conditions.length,
  lacks_missing: ({ lacks }) => lacks?.missing,
  lacks: ({ lacks }) => lacks?.conditions.map(({ text }) => text).join("; "),
};

const names = ["area", "team", "app", "env"] as const;

/** GET /apps */
export function appsRoute({ sources, ...details }: DetailSources & { readonly sources: RollUpSources }): ServerRoute {
  const { engine } = details;
  const { levels } = details.rules;
  const readApps = readGroup(sources, { itemsOf: ({ allAndHeld }) => allAndHeld, group: "apps", names, show: showApp });
  const lacksFor = createLacks(engine.scorecards, levels);
  return listRoute<AppQuery, ShownApp>({
    path: "/apps",
    operationId: "listApps",
    summary: "Applications with their scores, in each environment",
    parameters: {
      ...rollUpParameters,
      sort: Joi.valid(...sorts, "lacks")
        .default("score")
        .description(`${sortDescription}; \`lacks\`: those first that lack least for a level`),
      ...appFilterParameters(engine, levels),
      lacks: flag("Adds what it lacks for the level of `below_level`, otherwise for the next one"),
      detail: flag(
        `Adds every installed metric, with what was reported and why it scores so; at most ${maxDetailed} a page`,
      ),
    },
    limitOf: limitWith,
    item: {
      name: "AppScore",
      schema: appSchema,
      example,
    },
    columns: (query) => ({
      ...fields("area", "team", "app", "env", "score", "change", "reported", "fresh", "waived", "exempt", "thin"),
      ...scorecardColumns(engine),
      ...levelColumns,
      ...problemColumns,
      ...(query.lacks && lacksColumns),
      ...fields("state", "registered", "owner", "repo", "tier", "labels", "oldest_reported_at"),
      ...trendColumn(query),
      ...(query.detail && fields("metrics")),
    }),
    read: ({ sort, ...query }, grant, paging) => {
      const lacking = lacksFor(query.below_level);
      return readApps({ ...query, sort: sort === "lacks" ? "name" : sort }, grant, paging, {
        itemsOf: query.reported === false ? ({ silentApps }) => silentApps : undefined,
        positionOf: sort === "lacks" ? lacking.positionOf : undefined,
        holds: createAppFilter(query, engine, levels),
        complete: query.lacks ? (app) => ({ ...app, lacks: lacking.of(app) }) : undefined,
        reread: query.detail ? (apps) => readDetails(details, apps) : undefined,
      });
    },
  });
}
