import type { AnyMetric, Engine } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { type Json, jsonSchema, reference, withExamples } from "../openapi/operation.ts";
import { rawSchema } from "../openapi/raw-schema.ts";
import { reasonSchema } from "../openapi/reason.ts";
import { submissionBody } from "./submission.ts";

/** The answer about a stored score. */
export const storedScore: Json = {
  ...Object.fromEntries([...targetFields, "scorecard", "metric"].map((key) => [key, { type: "string" }])),
  score: { type: "number", minimum: 0, maximum: 100 },
  reasons: {
    type: "array",
    items: reasonSchema,
    description: "The most important first",
  },
  scorer: { type: "string", description: "The package that computed it, with its version" },
};

export const reportedAt: Json = { type: "string", format: "date-time" };

/** How a submission is stored. */
export const storedField: Json = {
  enum: ["current", "history"],
  description:
    "`history` if a later result was stored before: then it never replaces that one, alerts nothing, and without a history (`HISTORY_DAYS=0`) is kept nowhere",
};

/** The fields that an answer adds: for a held application, and for one that has moved. */
export const noteFields: Json = {
  held: {
    const: true,
    description:
      "The application is not registered, so it is held: what it reports is stored, and counts once it is registered",
  },
  moved_to: {
    ...reference("AppName"),
    description:
      "The name under which it is stored, if the application has moved and this name is within the bounds of the token",
  },
};

/** The schemas of results: `ScoreRequest`, with a variant for each metric, and the schema of each metric's `raw`. */
export function requestSchemas({ scorecards }: Engine): Json {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => ({ scorecard: name, metric })));
  return {
    ScoreRequest: { oneOf: metrics.map(({ scorecard, metric }) => submission(scorecard, metric)) },
    ...Object.fromEntries(metrics.map(({ scorecard, metric }) => [rawName(scorecard, metric), rawSchema(metric)])),
  };
}

/** The request for one metric. */
function submission(scorecard: string, metric: AnyMetric): Json {
  const { properties, ...rest } = withExamples(jsonSchema(submissionBody));
  return {
    ...rest,
    title: `${scorecard}.${metric.name}`,
    description: metric.title,
    properties: {
      ...properties,
      scorecard: { const: scorecard },
      metric: { const: metric.name },
      raw: reference(rawName(scorecard, metric)),
    },
  };
}

function rawName(scorecard: string, metric: AnyMetric): string {
  return `raw.${scorecard}.${metric.name}`;
}
