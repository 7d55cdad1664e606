import { describe, expect, test } from "vitest";
import { createEngine, defineMetric, defineScorecard, halving, lowestOf, passFail, piecewise } from "./index.ts";

const about = { name: "load", title: "Load" } as const;
const rising = [
  [0, 0],
  [10, 100],
] as const;

describe("a metric without a validator", () => {
  const from = { name: "@acme/any", version: "1.0.0" };
  const engine = createEngine([
    defineScorecard({
      ...{ name: "any", dimension: "run", weight: 1, package: from },
      metrics: [
        defineMetric({
          ...{ name: "all", title: "All" },
          inputs: {
            count: { max: 5 },
            part: { min: 0, max: 1, outOfRange: "must be a fraction" },
            loss: { min: -5 },
          },
          score: lowestOf(
            halving({ count: 5 }),
            passFail("on", { passes: true, pass: "a", fail: "b" }),
            piecewise("part", rising),
            piecewise("loss", rising),
          ),
        }),
      ],
    }),
  ]);
  const good = { count: 0, on: true, part: 1, loss: 10 };

  test.each<[string, object, unknown]>([
    ["what lies at the ends of its range", { count: 5, part: 0, loss: -5 }, 0],
    ["a flag as 1", { on: 1, part: 1 }, 10],
    ["a flag as 0", { on: 0 }, 0],
    ["fields that it does not know", { tool: "x" }, 10],
  ])("takes %s", (_, changes, score) => {
    expect(engine.score("any", "all", { ...good, ...changes }).score).toBe(score);
  });

  test.each<[string, object, string]>([
    ["a field that is missing", { count: undefined }, "is required"],
    ["a flag that is missing", { on: undefined }, "is required"],
    ["a text", { count: "1" }, "must be a number"],
    ["null", { count: null }, "must be a number"],
    ["an endless number", { loss: Number.POSITIVE_INFINITY }, "must be a number"],
    ["a fraction of a count", { count: 0.5 }, "must be an integer"],
    ["less than the least", { count: -1 }, "must be greater than or equal to 0"],
    ["more than the most", { count: 6 }, "must be less than or equal to 5"],
    ["less than the least of one's own", { loss: -5.1 }, "must be greater than or equal to -5"],
    ["less than a fraction", { part: -0.1 }, "must be a fraction"],
    ["more than a fraction", { part: 1.1 }, "must be a fraction"],
    ["another number for a flag", { on: 2 }, "must be true or false"],
    ["a text for a flag", { on: "true" }, "must be true or false"],
  ])("refuses %s", (_, changes, message) => {
    const [field] = Object.keys(changes);
    expect(() => engine.score("any", "all", { ...good, ...changes })).toThrow(
      expect.objectContaining({ code: "invalid-raw", details: [{ path: `raw.${field}`, message }] }),
    );
  });

  test("finds all faults at once, and takes no inherited field for an own one", () => {
    const raw = Object.create(good);
    expect(() => engine.score("any", "all", raw)).toThrow(
      expect.objectContaining({
        details: ["count", "on", "part", "loss"].map((field) => ({ path: `raw.${field}`, message: "is required" })),
      }),
    );
  });

  test("hands the result on as it came, but for flags as numbers", () => {
    const metric = defineMetric({
      ...about,
      inputs: { on: { type: "boolean" } },
      score: () => ({ score: 1, reasons: [] }),
    });
    const { validate } = metric.raw["~standard"];
    const raw = { on: true, tool: "x" };
    expect((validate(raw) as { value: object }).value).toBe(raw);
    expect(validate({ on: 0, tool: "x" })).toEqual({ value: { on: false, tool: "x" } });
    for (const none of [null, 1, "text"])
      expect(validate(none)).toEqual({ issues: [{ message: "must be an object" }] });
  });

  test("describes itself as JSON Schema", () => {
    const [metric] = engine.scorecards[0]?.metrics ?? [];
    const standard = metric?.raw["~standard"];
    const described = {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 0, maximum: 5 },
        on: { anyOf: [{ type: "boolean" }, { enum: [0, 1], type: "number" }] },
        part: { type: "number", minimum: 0, maximum: 1 },
        loss: { type: "number", minimum: -5 },
      },
      required: ["count", "on", "part", "loss"],
    };
    const options = { target: "draft-2020-12" } as const;
    if (!standard || !("jsonSchema" in standard)) throw new Error("it has no JSON Schema");
    expect([standard.vendor, standard.version]).toEqual(["maturity", 1]);
    expect(standard.jsonSchema.input(options)).toEqual(described);
    expect(standard.jsonSchema.output(options)).toEqual(described);
  });

  test("and without inputs is refused by the engine, by name", () => {
    const metric = defineMetric({ ...about, score: () => ({ score: 1, reasons: [] }) });
    const scorecard = {
      contract: 1,
      name: "any",
      dimension: "run",
      weight: 1,
      package: from,
      metrics: [metric],
    } as const;
    expect(() => createEngine([scorecard])).toThrow("any.load: raw must be a Standard Schema");
  });
});
