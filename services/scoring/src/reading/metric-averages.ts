import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { several, targetFilter } from "../lists/query.ts";
import { cacheByList, pageOf, sortedBy } from "../lists/sorted.ts";
import { text } from "../model/fields.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { count, type Json, object, points, share } from "../openapi/operation.ts";
import type { MetricAverage } from "../rollups/metric-averages.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import { sharesFields } from "./team-metrics.ts";

const keys = {
  gain: ({ gain }) => -gain,
  score: ({ score }) => score,
  "-score": ({ score }) => (score === null ? null : -score),
  reported: ({ reported }) => reported,
  name: () => null,
} as const satisfies Readonly<Record<string, (average: MetricAverage) => number | null>>;

interface MetricQuery extends TargetFilter {
  readonly scorecard?: readonly string[];
  readonly metric?: readonly string[];
  readonly sort: keyof typeof keys;
}

const scoreOrNull: Json = { ...points, type: ["number", "null"] };
const schema = object({
  env: itemFields.env,
  scorecard: sharesFields.scorecard,
  metric: sharesFields.metric,
  score: sharesFields.score,
  lowest: { ...scoreOrNull, description: "The lowest of these scores" },
  p10: { ...scoreOrNull, description: "The 10th percentile: a tenth of the scores is below" },
  median: { ...scoreOrNull, description: "The median" },
  p90: { ...scoreOrNull, description: "The 90th percentile: nine tenths of the scores are below" },
  highest: { ...scoreOrNull, description: "The highest of them" },
  count: sharesFields.count,
  apps: { ...count, minimum: 1, description: "The number of applications that have reported anything there" },
  reported: sharesFields.reported,
  fresh: sharesFields.fresh,
  stale: { ...share, description: "In which share of them it was reported and is stale" },
  waived: sharesFields.waived,
  exempt: sharesFields.exempt,
  waivers: {
    ...count,
    description:
      "How many waivers in force cover it in at least one of these applications; those of the same scope are one",
  },
  organisation_score: {
    ...scoreOrNull,
    description: "The score of the organisation there, of what the filters leave: the plain average of its areas",
  },
  gain: {
    ...points,
    description: "By how many points that score rises if the metric scores 100 wherever it was reported",
  },
});

const example: Json = {
  ...{ env: "prod", scorecard: "security", metric: "image_scan", score: 53.59 },
  ...{ lowest: 3.13, p10: 18.5, median: 57.43, p90: 93.3, highest: 100, count: 54, apps: 60 },
  ...{ reported: 0.93, fresh: 0.8, stale: 0.13, waived: 0.02, exempt: 0.02, waivers: 1 },
  ...{ organisation_score: 71.4, gain: 4.06 },
};

const texts = several(text(1, 200));
/** Equals keep the order of the scorecards. */
const arranged = cacheByList(async (averages: readonly MetricAverage[], sort: MetricQuery["sort"]) => {
  const envs = [...Map.groupBy(averages, ({ env }) => env).values()];
  const order = new Map(envs.flatMap((own) => own.map((average, index) => [average, index] as const)));
  return sortedBy(averages, (average) => [keys[sort](average), average.env, order.get(average) ?? null]);
});

/** GET /metric-averages */
export function metricAveragesRoute(rollUps: RollUpReader): ServerRoute {
  return listRoute<MetricQuery, MetricAverage>({
    path: "/metric-averages",
    operationId: "listMetricAverages",
    summary: "Each metric over all applications: its average and spread, and what it costs the organisation",
    parameters: {
      ...targetFilter,
      scorecard: texts.description("Only the metrics of these scorecards"),
      metric: texts.description(
        "Only these metrics; with the name of its scorecard, such as `security.sast`, only of that scorecard",
      ),
      sort: Joi.valid(...Object.keys(keys))
        .default("gain")
        .description(
          "`gain`: what costs most first; `score`: the worst average first; `-score`: the best first; `reported`: the least first; `name`: by environment, in the order of the scorecards",
        ),
    },
    item: { name: "MetricAverage", schema, example },
    async read({ scorecard, metric, sort, ...filter }, grant, paging) {
      const now = await rollUps.read(narrow(grant, filter));
      const isWanted = (one: MetricAverage) =>
        (!scorecard || scorecard.includes(one.scorecard)) &&
        (!metric || metric.includes(one.metric) || metric.includes(`${one.scorecard}.${one.metric}`));
      const sorted = await arranged(await now.metricAverages(), sort);
      const page = pageOf(
        sorted.filter(({ item }) => isWanted(item)),
        paging,
      );
      return { ...page, asOf: now.asOf };
    },
  });
}
