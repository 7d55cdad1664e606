import type { AnyMetric } from "@maturity/core";
import type { Json } from "./operation.ts";

/** The JSON Schema of a metric's `raw`; any object if its validator has no JSON Schema. */
export function rawSchema(metric: AnyMetric): Json {
  const { $schema: _, additionalProperties: __, ...schema } = described(metric);
  const description = "Fields beside these are stored and ignored; 2,000 values in all, at every depth.";
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
    name,
    "minimum" in property ? { ...property, examples: [property.minimum] } : property,
  ]);
  return { title: metric.title, description, type: "object", ...schema, properties: Object.fromEntries(properties) };
}

/** A validator may throw if JSON Schema cannot express a rule, such as a rule in code. */
function described(metric: AnyMetric): Json {
  const standard = metric.raw["~standard"];
  try {
    return "jsonSchema" in standard ? standard.jsonSchema.input({ target: "draft-2020-12" }) : {};
  } catch {
    return {};
  }
}
