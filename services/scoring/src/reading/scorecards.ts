import type { ServerRoute } from "@hapi/hapi";
import type { AnyMetric, AppliesRule, Engine, Input } from "@maturity/core";
import { scorerOf } from "@maturity/core/wire";
import { listRoute } from "../lists/list.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import { object, text, textOrNull } from "../openapi/operation.ts";
import { rawSchema } from "../openapi/raw-schema.ts";
import type { DetailSources } from "./app-details.ts";

function describe({ scorecards }: Engine, applies: readonly AppliesRule[]) {
  return scorecards.map(({ name, title, weight, dimension, package: from, metrics }) => ({
    scorecard: name,
    title: title ?? name,
    weight,
    dimension,
    package: scorerOf({ package: from }),
    applies: applies.flatMap(({ scorecard, ...rule }) => (scorecard === name ? [rule] : [])),
    metrics: metrics.map((metric) => ({
      metric: metric.name,
      title: metric.title,
      weight: metric.weight,
      max_age_hours: metric.maxAgeHours ?? null,
      description: metric.description ?? null,
      help: metric.help ?? null,
      deprecated: metric.deprecated ?? null,
      inputs: Object.entries(metric.inputs ?? {}).map(describeInput),
      raw: rawSchema(metric),
    })),
  }));
}

function describeInput([field, input]: [string, NonNullable<AnyMetric["inputs"]>[string]]) {
  const { label = field, unit, min, max, better }: Input = input ?? {};
  return { field, label, unit: writtenUnit(unit), min: min ?? null, max: max ?? null, better: better ?? null };
}

function writtenUnit(unit: Input["unit"]): string | null {
  if (unit === undefined || typeof unit === "function") return null;
  return typeof unit === "string" ? unit : unit[1];
}

type ShownScorecard = ReturnType<typeof describe>[number];

const bound = { type: ["number", "null"] };
const weight = { type: "number", exclusiveMinimum: 0 };
const texts = { type: "array", items: text };
const condition = object({}, { tier: texts, labels: { type: "object", additionalProperties: texts }, env: texts });

const schema = object({
  scorecard: text,
  title: { ...text, description: "What it is called where people read it; its name, unless it declares a title" },
  weight: { ...weight, description: "Relative to the other scorecards" },
  dimension: { ...text, description: "Where in the life of software it looks, such as `build`" },
  package: { ...text, description: "The package that defines it, with its version" },
  applies: {
    type: "array",
    description:
      "The rules of the policy on the applications to which it applies: to what `when` fits and `unless` does not. Of several rules for a metric each must let it apply",
    items: object(
      {},
      {
        metric: { ...text, description: "The whole scorecard, if absent" },
        ...{ when: condition, unless: condition },
        from: { ...text, format: "date", description: "The day in UTC until which it counts for nobody" },
      },
    ),
  },
  metrics: {
    type: "array",
    items: object({
      metric: text,
      title: text,
      weight: { ...weight, description: "Relative to the other metrics of the scorecard" },
      max_age_hours: { type: ["number", "null"], description: "How old a result may be; null if it never ages" },
      description: { ...textOrNull, description: "What it measures and why" },
      help: { ...textOrNull, description: "Address of a page that says how to improve" },
      deprecated: { ...textOrNull, description: "The metric that takes its place, as `metric` or `scorecard.metric`" },
      inputs: {
        type: "array",
        description: "The fields of the result that it scores",
        items: object({
          field: text,
          label: { ...text, description: "The subject of a sentence about it" },
          unit: {
            ...textOrNull,
            description: "What its values count; null if it has none, or writes its values by a rule",
          },
          min: { ...bound, description: "The lowest value that it takes" },
          max: { ...bound, description: "The highest value that it takes" },
          better: { enum: ["lower", "higher", null], description: "Which of its values are better" },
        }),
      },
      raw: { type: "object", description: "JSON Schema of the result" },
    }),
  },
});

const example = {
  ...{ scorecard: "security", title: "Security", weight: 30, dimension: "ship", package: "@maturity/security@1.0.0" },
  applies: [{ metric: "image_scan", unless: { labels: { kind: ["library"] } } }],
  metrics: [
    {
      metric: "image_scan",
      title: "Vulnerabilities of the image",
      weight: 25,
      max_age_hours: 168,
      description: null,
      help: "https://wiki.example.com/images",
      deprecated: null,
      inputs: [{ field: "high", label: "high", unit: null, min: 0, max: 1_000_000_000, better: "lower" }],
      raw: { type: "object" },
    },
  ],
};

/** GET /scorecards */
export function scorecardsRoute({ engine, rules: { applies } }: Pick<DetailSources, "engine" | "rules">): ServerRoute {
  const indexes = new Map(engine.scorecards.map(({ name }, index) => [name, index]));
  const sorted = sortedBy(describe(engine, applies), ({ scorecard }) => [indexes.get(scorecard) ?? null]);
  return listRoute<object, ShownScorecard>({
    path: "/scorecards",
    operationId: "listScorecards",
    summary: "What is installed: scorecards, metrics, weights, inputs, what a result must hold, and to what they apply",
    parameters: {},
    item: { name: "RegisteredScorecard", schema, example },
    read: async (_, __, paging) => ({ ...pageOf(await sorted, paging), asOf: new Date() }),
  });
}
