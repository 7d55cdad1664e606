import { type AnyMetric, type Engine, maxFaults } from "@maturity/core";
import type Joi from "joi";
import { alertStates } from "../alerts/queue.ts";
import { healthStates } from "../http/health.ts";
import { errorTable } from "../model/errors.ts";
import { problemBody } from "../model/problem.ts";
import { scoresBody } from "../report/scores.ts";
import { submissionBody } from "../report/submission.ts";

export type Json = { readonly [key: string]: unknown };

/** The schemas of all bodies, made from what checks them. `ScoreRequest` has one variant for each registered metric. */
export function openapiSchemas({ scorecards }: Engine): Json {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => ({ scorecard: name, metric })));
  return {
    ScoreRequest: { oneOf: metrics.map(({ scorecard, metric }) => submission(scorecard, metric)) },
    ...Object.fromEntries(metrics.map(({ scorecard, metric }) => [rawName(scorecard, metric), rawSchema(metric)])),
    ScoreResponse: scoreResponse(),
    ScoresRequest: scoresRequest(),
    ScoresResponse: scoresResponse(),
    ProblemRequest: withExamples(jsonSchema(problemBody)),
    ProblemResponse: problemResponse(),
    Health: object({ status: { enum: healthStates } }),
    Error: errorSchema(),
  };
}

/** What a validator says of itself, as JSON Schema. */
export function jsonSchema(schema: Joi.Schema): Json {
  return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
}

const examples: Readonly<Record<string, unknown>> = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  pipeline_id: "cart/4711",
  project_repo: "https://git.example.com/shop/cart",
  problem_type: "terraform_secret",
  severity: "high",
  count: 1,
  details: [{ file: "main.tf", line: 3, description: "AWS access key" }],
  chat_channel: "#security",
};

/** Readers of the page start from these values. */
function withExamples(schema: Json): Json & { readonly properties: Json } {
  const properties = Object.entries(schema.properties as Record<string, Json>).map(([name, property]) => [
    name,
    name in examples ? { ...property, examples: [examples[name]] } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The body of POST /score for one metric. */
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
      raw: { $ref: `#/components/schemas/${rawName(scorecard, metric)}` },
    },
  };
}

function rawName(scorecard: string, metric: AnyMetric): string {
  return `raw.${scorecard}.${metric.name}`;
}

/** What the metric's validator says of itself; just an object when it cannot. */
function rawSchema(metric: AnyMetric): Json {
  const { $schema: _, additionalProperties: __, ...schema } = described(metric);
  const description = "Fields beside these are stored and ignored; 2,000 values in all, at every depth.";
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
    name,
    "minimum" in property ? { ...property, examples: [property.minimum] } : property,
  ]);
  return { title: metric.title, description, type: "object", ...schema, properties: Object.fromEntries(properties) };
}

/** A validator may be unable to say all it checks, such as a rule in code: it throws then, as its contract allows. */
function described(metric: AnyMetric): Json {
  const standard = metric.raw["~standard"];
  try {
    return "jsonSchema" in standard ? standard.jsonSchema.input({ target: "draft-2020-12" }) : {};
  } catch {
    return {};
  }
}

function scoresRequest(): Json {
  const { properties, ...rest } = jsonSchema(scoresBody) as { properties: { scores: Json } };
  return {
    ...rest,
    properties: { scores: { ...properties.scores, items: { $ref: "#/components/schemas/ScoreRequest" } } },
  };
}

function scoresResponse(): Json {
  const { reported_at, ...stored } = scoreResponse().properties as Json;
  return object({ reported_at, scores: { type: "array", items: object(stored), description: "In the order sent" } });
}

function scoreResponse(): Json {
  const reason = object({
    field: { type: "string", description: "Name of the raw input field" },
    value: { description: "The value it had" },
    text: { type: "string", description: "One plain sentence" },
  });
  const key = ["area", "team", "app", "env", "scorecard", "metric"];
  return object({
    ...Object.fromEntries(key.map((name) => [name, { type: "string" }])),
    score: { type: "number", minimum: 0, maximum: 100 },
    reasons: { type: "array", items: reason, description: "The most important first" },
    scorer: { type: "string", description: "The package that computed it, with its version" },
    reported_at: { type: "string", format: "date-time" },
  });
}

function problemResponse(): Json {
  const { properties, required, ...rest } = jsonSchema(problemBody) as { properties: Json; required: string[] };
  const added = {
    opened_at: { type: ["string", "null"], format: "date-time", description: "Since when it is open" },
    reported_at: { type: "string", format: "date-time" },
    alert: {
      enum: [...alertStates],
      description:
        "What becomes of the chat alert; not_needed when the problem was not open, or nobody was told that it was",
    },
  };
  return {
    ...rest,
    properties: { ...properties, ...added },
    required: [...required, "details", ...Object.keys(added)],
  };
}

function errorSchema(): Json {
  const fault = object({
    path: { type: "string", description: "Where: `raw.critical`, `details[2].line`; empty for the whole body" },
    message: { type: "string" },
  });
  const { properties, ...rest } = object({
    statusCode: { type: "integer" },
    error: { type: "string", description: "Name of the status" },
    message: { type: "string", description: "What is wrong and what would be right" },
    code: { enum: Object.keys(errorTable) },
  });
  const details = {
    type: "array",
    items: fault,
    description: "The faults of the request, the first hundred",
    maxItems: maxFaults,
  };
  return { ...rest, properties: { ...(properties as Json), details } };
}

function object(properties: Json): Json {
  return { type: "object", properties, required: Object.keys(properties) };
}
