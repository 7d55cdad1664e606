import type { Engine } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import type Joi from "joi";
import type { Columns } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { flag } from "../lists/query.ts";
import { count, type Json, object } from "../openapi/operation.ts";
import type { MetricShares } from "../rollups/metric-averages.ts";
import { maxMany } from "./roll-up-list.ts";

/** The parameter that adds the metrics. */
export const metricsParameter: Joi.Schema = flag(
  `Adds each metric with its average over the applications; at most ${maxMany} items a page. In CSV a column for each`,
);

/** JSON Schemas of a `MetricShares`, by field. */
export const sharesFields: Readonly<Record<keyof MetricShares, Json>> = {
  scorecard: itemFields.scorecard,
  metric: itemFields.metric,
  score: {
    ...itemFields.score,
    type: ["number", "null"],
    description: "The plain average over the applications in which it was reported and counts; null if there are none",
  },
  count: { ...count, description: "In how many applications it was reported and counts" },
  reported: {
    ...itemFields.reported,
    description: "In which share of the applications it was reported, of those in which it counts",
  },
  fresh: { ...itemFields.fresh, description: "In which share of them it was reported and is not stale" },
  waived: { ...itemFields.waived, description: "In which share of all applications it is waived" },
  exempt: { ...itemFields.exempt, description: "In which share of all applications the policy exempts it" },
};

/** JSON Schema of the metrics of a team. */
export const metricsSchema: Json = {
  ...{ type: "array", items: object(sharesFields) },
  description: "Each metric over the applications that have reported anything there; only with `metrics`",
};

/** A column with the average of each metric. */
export function metricColumns({ scorecards }: Engine): Columns<{ readonly metrics?: readonly MetricShares[] }> {
  return Object.fromEntries(
    metricIds(scorecards).map((id, index) => [
      id,
      ({ metrics = [] }: { metrics?: readonly MetricShares[] }) => metrics[index]?.score,
    ]),
  );
}
