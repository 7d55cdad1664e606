import Joi from "joi";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineMetric, halving, type Input, lowestOf, passFail, piecewise } from "./index.ts";

const about = { name: "load", title: "Load" } as const;
const rising = [
  [0, 0],
  [10, 100],
] as const;
const falling = [
  [0, 100],
  [10, 0],
] as const;

describe("what a curve says of its inputs", () => {
  test.each([
    ["rises", piecewise("n", rising), { n: { better: "higher" } }],
    ["falls", piecewise("n", falling), { n: { better: "lower" } }],
    [
      "rises, with a level part",
      piecewise("n", [
        [0, 0],
        [5, 0],
        [10, 100],
      ]),
      { n: { better: "higher" } },
    ],
    [
      "rises and falls",
      piecewise("n", [
        [0, 0],
        [5, 100],
        [10, 0],
      ]),
      { n: {} },
    ],
    [
      "is level",
      piecewise("n", [
        [0, 50],
        [5, 50],
      ]),
      { n: {} },
    ],
    [
      "counts",
      halving({ high: 5, low: 9 }),
      { high: { type: "integer", min: 0, better: "lower" }, low: { type: "integer", min: 0, better: "lower" } },
    ],
    ["passes", passFail("on", { passes: true, pass: "a", fail: "b" }), { on: { type: "boolean", better: "higher" } }],
    ["fails", passFail("on", { passes: false, pass: "a", fail: "b" }), { on: { type: "boolean", better: "lower" } }],
    [
      "takes the lowest",
      lowestOf(piecewise("n", rising), passFail("on", { passes: true, pass: "a", fail: "b" })),
      { n: { better: "higher" }, on: { type: "boolean", better: "higher" } },
    ],
    ["takes the lowest of two ways", lowestOf(piecewise("n", rising), piecewise("n", falling)), { n: {} }],
    [
      "takes the lowest of two of one way",
      lowestOf(
        piecewise("n", rising),
        piecewise("n", [
          [0, 0],
          [5, 100],
        ]),
      ),
      { n: { better: "higher" } },
    ],
    [
      "takes the lowest of two, the first without a way",
      lowestOf(
        piecewise("n", [
          [0, 50],
          [5, 50],
        ]),
        piecewise("n", rising),
      ),
      { n: {} },
    ],
  ] as const)("it %s", (_, score, inputs) => {
    expect(defineMetric({ ...about, score: score as never }).inputs).toEqual(inputs);
  });

  test("gives way to what is declared", () => {
    const inputs = { high: { min: 1, max: 9, better: "higher", type: "number", label: "the load" } } as const;
    expect(defineMetric({ ...about, inputs, score: halving({ high: 5 }) }).inputs).toEqual(inputs);
  });

  test("leaves range and type to a validator of one's own", () => {
    const metric = defineMetric({ ...about, raw: z.object({ high: z.number() }), score: halving({ high: 5 }) });
    expect(metric.inputs).toEqual({ high: { better: "lower" } });
  });

  test("is nothing of a function, which keeps what is declared", () => {
    const score = ({ n }: { n: number }) => ({ score: n, reasons: [{ field: "n", value: n, text: "n" }] });
    expect(defineMetric({ ...about, raw: z.object({ n: z.number() }), score })).not.toHaveProperty("inputs");
    expect(defineMetric({ ...about, inputs: { n: { max: 100 } }, score }).inputs).toEqual({ n: { max: 100 } });
  });
});

describe("the words of the inputs", () => {
  test("stand in the reasons of every curve, however deep", () => {
    const metric = defineMetric({
      ...about,
      inputs: { a: { label: "the load", unit: "%" }, high: { unit: ["bug", "bugs"] } },
      score: lowestOf(piecewise("a", rising), lowestOf(halving({ high: 5 }))),
    });
    const [bugs, load] = metric.score({ a: 10, high: 1 }).reasons;
    expect(load?.text).toMatch(
      /^the load is 10 %, which scores 100; the score rises evenly from 0 at 0 % to 100 at 10 %; /,
    );
    expect(bugs?.text).toMatch(/^1 bug leaves 87 % of the score; every 5 of them halve it; /);
  });

  test("of a unit that is no pair are not taken for what is counted", () => {
    const metric = defineMetric({ ...about, inputs: { high: { unit: "bugs" } }, score: halving({ high: 5 }) });
    expect(metric.score({ high: 0 }).reasons[0]?.text).toMatch(/^0 high findings leave the score at 100;/);
  });

  test("are left to a scorer that no curve made", () => {
    const own = (raw: { n: number }) => ({ score: raw.n, reasons: [{ field: "n", value: raw.n, text: "n" }] });
    const metric = defineMetric({
      ...about,
      inputs: { n: { label: "x" } },
      score: lowestOf(own, piecewise("n", rising)),
    });
    expect(metric.score({ n: 1 }).reasons.map(({ text }) => text)).toEqual([
      "n; this score counts because no other is lower",
      expect.stringMatching(/^x is 1, which scores 10;/),
    ]);
  });
});

describe("a curve without a field", () => {
  test("reads the only input, and takes its values", () => {
    const flag = defineMetric({
      ...about,
      inputs: { on: {} },
      score: passFail({ passes: true, pass: "a", fail: "b" }),
    });
    expectTypeOf(flag.score).parameter(0).toEqualTypeOf<Record<"on", boolean>>();
    expect(flag.score({ on: true }).score).toBe(100);
    expect(flag.inputs).toEqual({ on: { type: "boolean", better: "higher" } });
    const value = defineMetric({ ...about, inputs: { n: {} }, score: piecewise(falling) });
    expectTypeOf(value.score).parameter(0).toEqualTypeOf<Record<"n", number>>();
    expect(value.score({ n: 5 })).toMatchObject({ score: 50, reasons: [{ field: "n" }] });
  });

  test.each<[string, Readonly<Record<string, Input>>]>([
    ["none", {}],
    ["two", { a: {}, b: {} }],
  ])("is refused where there are %s", (_, inputs) => {
    expect(() => defineMetric({ ...about, inputs, score: piecewise(falling) })).toThrow(
      expect.objectContaining({
        code: "invalid-scorecard",
        message: "load: a curve without a field reads the only input; name the field, or exactly one of `inputs`",
      }),
    );
  });

  test("is checked where it is written", () => {
    expect(() => piecewise([[1, 0]])).toThrow("needs at least two points");
  });
});

test("a metric weighs 1 unless it says otherwise, and keeps what is said of it", () => {
  const score = piecewise("n", rising);
  expect(defineMetric({ ...about, score }).weight).toBe(1);
  const words = { weight: 5, maxAgeHours: 24, description: "Why", help: "https://a.example", deprecated: "other" };
  expect(defineMetric({ ...about, ...words, score })).toMatchObject({ ...about, ...words });
});

test("a validator of one's own is kept, and so is a metric that is completed again", () => {
  const raw = Joi.object<{ n: number }>({ n: Joi.number().required() });
  const metric = defineMetric({ ...about, raw, inputs: { n: { label: "the load" } }, score: piecewise("n", rising) });
  expect(metric.raw).toBe(raw);
  const again = defineMetric({ ...metric, score: piecewise("n", falling) });
  expect(again).toMatchObject({ raw, inputs: { n: { label: "the load", better: "higher" } } });
  expect(again.score({ n: 0 }).reasons[0]?.text).toContain("the load is 0");
});
