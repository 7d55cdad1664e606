import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import { listRoute } from "../lists/list.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import type { Streams } from "../lists/streams.ts";
import { object } from "../openapi/operation.ts";
import { rawSchema } from "../openapi/raw-schema.ts";

function describe({ scorecards }: Engine) {
  return scorecards.map(({ name, weight, dimension, package: from, metrics }) => ({
    scorecard: name,
    weight,
    dimension,
    package: `${from.name}@${from.version}`,
    metrics: metrics.map((metric) => ({
      metric: metric.name,
      title: metric.title,
      weight: metric.weight,
      max_age_hours: metric.maxAgeHours ?? null,
      raw: rawSchema(metric),
    })),
  }));
}

type ShownScorecard = ReturnType<typeof describe>[number];

const text = { type: "string" };
const weight = { type: "number", exclusiveMinimum: 0 };

const schema = object({
  scorecard: text,
  weight: { ...weight, description: "Relative to the other scorecards" },
  dimension: { ...text, description: "Where in the life of software it looks, such as `build`" },
  package: { ...text, description: "The package that defines it, with its version" },
  metrics: {
    type: "array",
    items: object({
      metric: text,
      title: text,
      weight: { ...weight, description: "Relative to the other metrics of the scorecard" },
      max_age_hours: { type: ["number", "null"], description: "How old its evidence may be; null if it never ages" },
      raw: { type: "object", description: "JSON Schema of the raw result" },
    }),
  },
});

const example = {
  ...{ scorecard: "security", weight: 30, dimension: "ship", package: "@maturity/security@1.0.0" },
  metrics: [
    {
      metric: "image_scan",
      title: "Vulnerabilities of the image",
      weight: 25,
      max_age_hours: 168,
      raw: { type: "object" },
    },
  ],
};

/** GET /scorecards */
export function scorecardsRoute(engine: Engine, streams: Streams): ServerRoute {
  const places = new Map(engine.scorecards.map(({ name }, index) => [name, index]));
  const sorted = sortedBy(describe(engine), ({ scorecard }) => [places.get(scorecard) ?? null]);
  return listRoute<object, ShownScorecard>(
    {
      path: "/scorecards",
      operationId: "listScorecards",
      summary: "What is registered: scorecards, metrics, weights and what a raw result must hold",
      parameters: {},
      item: { name: "RegisteredScorecard", schema, example },
      read: async (_, __, paging) => ({ ...pageOf(await sorted, paging), asOf: new Date() }),
    },
    streams,
  );
}
