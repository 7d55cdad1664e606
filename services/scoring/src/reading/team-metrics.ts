import type { Engine } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import Joi from "joi";
import type { Columns } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { MetricShares } from "../rollups/metric-averages.ts";
import type { RollUps, Team } from "../rollups/roll-ups.ts";
import { type GroupQuery, limitOfGroups, readGains } from "./group-gains.ts";
import type { Reread } from "./roll-up-list.ts";

/** The query of the list of teams. */
export interface TeamQuery extends GroupQuery {
  readonly metrics: boolean;
}

/** Few teams with metrics a page, since each has some 15. */
const maxWithMetrics = 100;

/** The parameter that adds the metrics. */
export const metricsParameter: Joi.Schema = Joi.boolean()
  .default(false)
  .description(
    `Adds each metric with its average over the applications; at most ${maxWithMetrics} items a page. In CSV a column for each`,
  );

/** Largest number of teams of a page. */
export function limitOfTeams(query: TeamQuery): number {
  return Math.min(limitOfGroups(query), query.metrics ? maxWithMetrics : Number.POSITIVE_INFINITY);
}

/** Adds gains and metrics to the teams of one snapshot; undefined if neither is wanted. */
export function readTeam({
  detail,
  metrics,
}: Pick<TeamQuery, "detail" | "metrics">):
  | ((teams: readonly Team[], now: RollUps) => Promise<Reread<Team & { readonly metrics?: readonly MetricShares[] }>>)
  | undefined {
  if (!metrics) return detail ? readGains : undefined;
  return async (teams, now) => {
    const items: (Team & { readonly metrics: readonly MetricShares[] })[] = [];
    const found = detail ? (await readGains(teams, now)).items : teams;
    for (const team of found) items.push({ ...team, metrics: await now.metricsOf(team) });
    return { asOf: now.asOf, items, read: teams.length };
  };
}

/** JSON Schemas of a `MetricShares`, by field. */
export const sharesFields: Readonly<Record<keyof MetricShares, Json>> = {
  scorecard: itemFields.scorecard,
  metric: itemFields.metric,
  score: {
    ...itemFields.score,
    type: ["number", "null"],
    description: "The plain average over the applications in which it was reported and counts; null if there are none",
  },
  count: { type: "integer", minimum: 0, description: "In how many applications it was reported and counts" },
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
