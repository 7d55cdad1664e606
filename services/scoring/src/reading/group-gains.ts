import type Joi from "joi";
import { itemFields } from "../lists/items.ts";
import { flag } from "../lists/query.ts";
import { count, type Json, object, points } from "../openapi/operation.ts";
import type { GroupGains } from "../rollups/group-gains.ts";
import { maxDetailed } from "./roll-up-list.ts";

/** The most applications that are named of each gain. */
const maxNamed = 10;

/** The parameter that adds the gains. */
export const detailParameter: Joi.Schema = flag(
  `Adds what better results would gain, by metric and by application; at most ${maxDetailed} items a page`,
);

const sharesSchema: Json = {
  ...{ type: "array", maxItems: maxNamed },
  items: object({
    ...{ team: itemFields.team, app: itemFields.app },
    app_gain: { ...points, description: "By how many points the score of the application rises" },
    gain: { ...points, description: "By how many points that of the team or the area rises by it" },
  }),
};

/** JSON Schema of the gains of a team or an area. */
export const gainsSchema: Json = {
  ...object({
    metrics: {
      type: "array",
      items: object({
        ...{ scorecard: itemFields.scorecard, metric: itemFields.metric },
        gain: {
          ...points,
          description: "By how many points the score rises if the metric scores 100 wherever it was reported",
        },
        count: { ...count, minimum: 1, description: "In how many applications it counts and scores below 100" },
        apps: { ...sharesSchema, description: `The ${maxNamed} applications that gain most by it` },
      }),
      description: "The metrics below 100, the largest gain first. Together they are what the score lacks to 100",
    },
    count: { ...count, description: "How many applications score below 100" },
    apps: {
      ...sharesSchema,
      description: `The ${maxNamed} applications whose own results gain most, if all that they reported scores 100`,
    },
  }),
  description: "What better results would gain; only with `detail`",
};

/** The gains of a team or an area, as they are shown: with the applications that gain most, and how many there are. */
export interface ShownGains extends GroupGains {
  readonly metrics: readonly (GroupGains["metrics"][number] & { readonly count: number })[];
  readonly count: number;
}

/** Cuts the lists of applications. */
export function showGains({ metrics, apps }: GroupGains): ShownGains {
  return {
    metrics: metrics.map((metric) => ({ ...metric, count: metric.apps.length, apps: metric.apps.slice(0, maxNamed) })),
    ...{ count: apps.length, apps: apps.slice(0, maxNamed) },
  };
}
