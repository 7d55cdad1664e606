import type Joi from "joi";
import { jsonSchema } from "../../src/openapi/operation.ts";
import type { BadRequest } from "./bad-bodies.ts";
import { shippedEngine } from "./service.ts";

type Range = readonly [minimum: number, maximum: number, whole?: "whole"];

interface Property {
  readonly type?: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** The raw input of each metric: the ends of each number, or that it is a flag. */
export const rawInputs: Readonly<Record<string, Readonly<Record<string, Range | "flag">>>> = Object.fromEntries(
  shippedEngine.scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => [`${name}.${metric.name}`, inputsOf(metric.raw as unknown as Joi.Schema)]),
  ),
);

function inputsOf(raw: Joi.Schema): Record<string, Range | "flag"> {
  const { properties } = jsonSchema(raw);
  const ranges = Object.entries(properties as Record<string, Property>).map(([field, { type, minimum, maximum }]) => {
    if (type !== "number" && type !== "integer") return [field, "flag"] as const;
    return [field, [minimum, maximum, ...(type === "integer" ? (["whole"] as const) : [])] as Range] as const;
  });
  return Object.fromEntries(ranges);
}

/** For each metric the raw inputs at either end of what it takes. */
export function edgesOfRaw(): { metric: string; raw: Record<string, unknown> }[] {
  return Object.entries(rawInputs).flatMap(([metric, fields]) =>
    [0, 1].map((end) => ({
      metric,
      raw: Object.fromEntries(
        Object.entries(fields).map(([name, range]) => [name, range === "flag" ? end === 1 : range[end]]),
      ),
    })),
  );
}

/** For each field of each metric: missing, of another type, outside its range. */
export function badRaw(good: object): BadRequest[] {
  return edgesOfRaw()
    .filter((_, index) => index % 2 === 0)
    .flatMap(({ metric: path, raw }) => {
      const [scorecard, metric] = path.split(".");
      const fields = Object.entries(rawInputs[path] ?? {});
      const send = (name: string, changed: object, paths: readonly string[], message = /./): BadRequest => ({
        name: `${path}: ${name}`,
        payload: { ...good, scorecard, metric, raw: changed },
        code: "invalid-raw",
        paths,
        message,
      });
      return [
        send(
          "an empty raw",
          {},
          fields.map(([field]) => `raw.${field}`),
          new RegExp(`does not fit ${path}: .*is required`),
        ),
        ...fields.flatMap(([field, range]) => [
          send(`${field} missing`, { ...raw, [field]: undefined }, [`raw.${field}`], /is required/),
          ...Object.entries(range === "flag" ? notAFlag : notANumber(field, range)).map(([name, value]) =>
            send(`${field} ${name}`, { ...raw, [field]: value }, [`raw.${field}`], aboutFraction(field, value)),
          ),
        ]),
      ];
    });
}

const notAFlag: Readonly<Record<string, unknown>> = {
  "as text": "true",
  "as the text 1": "1",
  null: null,
  "of 2": 2,
  "below 0": -1,
  "a list": [true],
};

function notANumber(field: string, [minimum, maximum, whole]: Range): Readonly<Record<string, unknown>> {
  return {
    "as text": "1",
    null: null,
    "a flag": true,
    "a list": [1],
    "below its range": minimum - (whole ? 1 : 0.001),
    "above its range": maximum + (whole ? 1 : 0.001),
    ...(whole && { "a fraction": 1.5 }),
    ...(field === "error_rate" && { "in percent": 1.5 }),
  };
}

/** A share above 1 is most likely a percentage, so the refusal says what is expected. */
function aboutFraction(field: string, value: unknown): RegExp {
  return field === "error_rate" && typeof value === "number" && value > 1 ? /fraction from 0 to 1.*0\.02 is 2 %/ : /./;
}
