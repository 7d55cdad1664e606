import type { StandardSchemaV1 } from "@standard-schema/spec";
import Joi from "joi";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, defineMetric, defineScorecard, halving, type MaturityError, type RawSchema } from "./index.ts";

interface Counts {
  readonly high: number;
}

const joi = Joi.object<Counts>({ high: Joi.number().integer().min(0).required() })
  .unknown()
  .prefs({ abortEarly: false, convert: false, errors: { label: false } });

const zod = z.object({ high: z.int().min(0) });

const handWritten: StandardSchemaV1<unknown, Counts> = {
  "~standard": {
    version: 1,
    vendor: "by hand",
    validate(value) {
      const { high } = value as { high?: unknown };
      if (typeof high === "number" && Number.isInteger(high) && high >= 0) return { value: { high } };
      return { issues: [{ path: ["high"], message: "must be a count" }] };
    },
  },
};

describe.each<[string, RawSchema<Counts>]>([
  ["joi", joi],
  ["zod", zod],
  ["a schema by hand", handWritten],
])("with %s", (_, schema) => {
  const engine = createEngine([
    defineScorecard({
      name: "bugs",
      dimension: "build",
      weight: 1,
      package: { name: "@acme/bugs", version: "1.0.0" },
      metrics: [
        defineMetric<Counts>({ name: "open", title: "Open bugs", weight: 1, raw: schema, score: halving({ high: 5 }) }),
      ],
    }),
  ]);

  test("a fitting input is scored, fields it does not know included", () => {
    const raw = Object.freeze({ high: 5, tracker: "acme" });
    expect(engine.score("bugs", "open", raw)).toMatchObject({ score: 50 });
  });

  test("an own field named __proto__ does no harm", () => {
    const raw = JSON.parse('{ "high": 5, "__proto__": { "polluted": true } }');
    expect(engine.score("bugs", "open", raw).score).toBe(50);
    expect({}).not.toHaveProperty("polluted");
  });

  test.each([{}, { high: "5" }, { high: -1 }, { high: 0.5 }, { high: null }, { high: Number.NaN }])(
    "%j is refused at its field",
    (raw) => {
      expect(() => engine.score("bugs", "open", raw)).toThrow(
        expect.objectContaining({ code: "invalid-raw", details: [expect.objectContaining({ path: "raw.high" })] }),
      );
    },
  );
});

test("nested faults of joi and zod get one form of path", () => {
  const shapes: RawSchema<object>[] = [
    Joi.object({ runs: Joi.array().items(Joi.object({ ms: Joi.number() })) }),
    z.object({ runs: z.array(z.object({ ms: z.number() })) }),
  ];
  for (const raw of shapes) {
    const metric = defineMetric({
      name: "runs",
      title: "Runs",
      weight: 1,
      raw,
      score: () => ({ score: 0, reasons: [{ field: "runs", value: 0, text: "none" }] }),
    });
    const engine = createEngine([
      defineScorecard({
        name: "ci",
        dimension: "build",
        weight: 1,
        package: { name: "ci", version: "1.0.0" },
        metrics: [metric],
      }),
    ]);
    try {
      engine.score("ci", "runs", { runs: [{ ms: 1 }, { ms: true }] });
      expect.unreachable();
    } catch (error) {
      expect((error as MaturityError).details.map(({ path }) => path)).toEqual(["raw.runs[1].ms"]);
    }
  }
});

test("a joi schema with an external rule is asynchronous, so it is refused", () => {
  const raw = Joi.object({ high: Joi.number() }).external(async (value) => value);
  const engine = createEngine([
    {
      contract: 1,
      name: "bugs",
      dimension: "build",
      weight: 1,
      package: { name: "@acme/bugs", version: "1.0.0" },
      metrics: [{ name: "open", title: "Open bugs", weight: 1, raw, score: () => ({ score: 1, reasons: [] }) }],
    },
  ]);
  expect(() => engine.score("bugs", "open", { high: 1 })).toThrow("has an asynchronous validator");
});
