import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Directions, metricWith, ownEngine, scorecardWith } from "../test/scorecards.ts";
import { defineMetric } from "./define.ts";
import { createEngine, type Engine } from "./engine.ts";
import { lowestOf } from "./lowest-of.ts";
import { piecewise } from "./piecewise.ts";
import { findReach, type InputChange } from "./reach.ts";
import type { AnyMetric, ScoreFunction } from "./scorecard.ts";

const said = (changes: readonly InputChange[]) => changes.map(({ field, to }) => [field, to]);

describe("a range that the metric declares", () => {
  const graded = (inputs: AnyMetric["inputs"], raw: object, score: (size: number) => number) => {
    const metric = metricWith({
      ...{ name: "size", raw, inputs },
      score: ({ size }: { readonly size: number }) => ({
        score: score(size),
        reasons: [{ field: "size", value: size, text: "size" }],
      }),
    });
    return createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine;
  };

  test("is searched to its end where higher is better", () => {
    const metric = defineMetric({
      ...{ name: "size", title: "Grade" },
      inputs: { size: { min: 0, max: 10 } },
      score: piecewise([
        [0, 0],
        [10, 100],
      ]),
    });
    const own: Engine = createEngine([scorecardWith({ name: "own", metrics: [metric] })]);
    expect(findReach(own, "own", "size", { size: 6 }, 90)).toEqual({
      alone: [{ field: "size", from: 6, to: 9, direction: "higher" }],
      together: [],
      best: 100,
    });
  });

  test("is searched to its end where lower is better, beyond 0 too", () => {
    const own = graded(
      { size: { min: -40, better: "lower" } },
      z.object({ size: z.number().min(-40) }),
      (size) => 60 - size,
    );
    expect(findReach(own, "own", "size", { size: 20 }, 90)).toMatchObject({ alone: [{ to: -30 }], best: 100 });
    const above = graded(
      { size: { min: 5, better: "lower" } },
      z.object({ size: z.number().min(5) }),
      (size) => 100 - size,
    );
    expect(findReach(above, "own", "size", { size: 20 }, 90)).toMatchObject({ alone: [{ to: 10 }], best: 95 });
  });

  test("is not taken for the end where the validator refuses it", () => {
    const own = graded(
      { size: { max: 8, better: "higher" } },
      z.object({ size: z.number().lt(8) }),
      (size) => size * 10,
    );
    expect(findReach(own, "own", "size", { size: 1 }, 40)).toMatchObject({ alone: [{ to: 4 }], best: 40 });
  });

  test("has no better value beyond it", () => {
    const own = graded({ size: { max: 5, better: "higher" } }, z.object({ size: z.number() }), (size) => size);
    expect(findReach(own, "own", "size", { size: 50 }, 60)).toEqual({ alone: [], together: [], best: 50 });
    const below = graded({ size: { min: 5, better: "lower" } }, z.object({ size: z.number() }), (size) => 50 - size);
    expect(findReach(below, "own", "size", { size: 0 }, 60)).toEqual({ alone: [], together: [], best: 50 });
  });

  test("may be narrower than the half of a whole number", () => {
    const own = graded(
      { size: { min: 0, max: 0.25, better: "higher" } },
      z.object({ size: z.number().min(0).max(0.25) }),
      (size) => size * 400,
    );
    expect(findReach(own, "own", "size", { size: 0 }, 90)).toMatchObject({ alone: [{ to: 0.225 }], best: 100 });
  });

  test("is one of whole numbers if it says so, whatever the validator takes", () => {
    const own = graded(
      { size: { type: "integer", max: 9, better: "higher" } },
      z.object({ size: z.number() }),
      (size) => size * 11,
    );
    expect(findReach(own, "own", "size", { size: 1 }, 50)).toMatchObject({ alone: [{ to: 5 }] });
  });
});

describe("a curve without a range", () => {
  const reachOf = (score: ScoreFunction<Record<"n", number>>, n: number, inputs: AnyMetric["inputs"] = {}) => {
    const metric = defineMetric({ name: "size", title: "Size", score, inputs: { n: { ...inputs.n } } });
    return findReach(
      createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine,
      "own",
      "size",
      { n },
      90,
    );
  };
  const balance = piecewise("n", [
    [-100, 100],
    [100, 0],
  ]);
  const author = ({ n }: { readonly n: number }) => ({
    score: Math.min(100, 150 - n),
    reasons: [{ field: "n", value: n, text: "it is so" }],
  });

  test.each<[string, ScoreFunction<Record<"n", number>>, number, number]>([
    ["below 0", balance, 50, -80],
    ["below 0, from below 0", balance, -10, -80],
    [
      "above 1e12",
      piecewise("n", [
        [1e12, 0],
        [2e12, 100],
      ]),
      1.5e12,
      1.899_95e12, // 89.995, which is 90
    ],
    ["below 0, beside a function of the author", lowestOf(balance, author), 50, -80],
  ])("is searched to its last corner %s", (_, score, n, to) => {
    expect(reachOf(score, n, { n: { better: n > 1e9 ? "higher" : "lower" } })).toMatchObject({
      alone: [{ to }],
      best: 100,
    });
  });

  test("is searched as far as its validator takes it", () => {
    const metric = metricWith({
      name: "size",
      raw: z.object({ n: z.number().gt(-100) }),
      score: balance,
      better: { n: "lower" },
    });
    const engine = createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine;
    expect(findReach(engine, "own", "size", { n: 90 }, 50)).toMatchObject({ alone: [{ to: 0 }], best: 50 });
  });
});

describe("inputs of one's own", () => {
  type Two = { readonly a: number; readonly b: number };
  const falling: Directions = { a: "lower", b: "lower" };
  const reachOf = (own: Engine, raw: Record<string, unknown>, minimum: number) =>
    findReach(own, "own", "size", raw, minimum);

  test("more of what has no bound", () => {
    const own = ownEngine(
      z.object({ replicas: z.int().min(0) }),
      ({ replicas }: { readonly replicas: number }) => Math.min(100, replicas * 20),
      { replicas: "higher" },
    );
    for (const from of [0, 1, 2]) {
      expect(reachOf(own, { replicas: from }, 60), `from ${from}`).toEqual({
        alone: [{ field: "replicas", from, to: 3, direction: "higher" }],
        together: [],
        best: 100,
      });
    }
  });

  test("a number where a flag would do stays a number, and a flag a flag", () => {
    const own = ownEngine(
      z.object({ a: z.union([z.boolean(), z.number().min(0)]) }),
      ({ a }: { readonly a: number | boolean }) => Math.max(0, 100 - Number(a) * 10),
      { a: "lower" },
    );
    expect(said(reachOf(own, { a: 6 }, 80).alone)).toEqual([["a", 2]]);
    expect(said(reachOf(own, { a: true }, 95).alone)).toEqual([["a", false]]);
  });

  test("a text that the metric takes for a number has no next value, nor has a field that was left out", () => {
    const own = ownEngine(
      z.strictObject({ a: z.coerce.number(), b: z.number().optional(), c: z.number() }),
      ({ a, b = 0, c }: Partial<Two> & { readonly a: number; readonly c: number }) => Math.max(0, 100 - a - b - c),
      { ...falling, c: "lower" },
    );
    expect(reachOf(own, { a: "40", c: 10 }, 80)).toEqual({ alone: [], together: [], best: 60 });
  });

  test("values that are refused are not enough, however low the minimum", () => {
    const own = ownEngine(
      z.object({ a: z.number().multipleOf(10).min(0) }),
      ({ a }: { readonly a: number }) => (a === 0 ? 100 : 0),
      { a: "lower" },
    );
    expect(said(reachOf(own, { a: 40 }, 1).alone)).toEqual([["a", 0]]);
  });

  test("the best score is that of the values that can get better, where the likely best of another is refused", () => {
    const own = ownEngine(
      z.object({ a: z.number().min(10), b: z.number().min(0) }),
      ({ a, b }: Two) => Math.max(0, 110 - a - b),
      falling,
    );
    expect(reachOf(own, { a: 20, b: 40 }, 80)).toMatchObject({ alone: [{ field: "b", to: 10 }], best: 90 });
    expect(reachOf(own, { a: 20, b: 40 }, 95)).toEqual({ alone: [], together: [], best: 90 });
  });

  test("no more inputs than are needed, those that gain most, each as far as the others demand", () => {
    const own = ownEngine(
      z.strictObject({ c: z.int().min(0), b: z.int().min(0), a: z.int().min(0) }),
      ({ a, b, c }: Two & { readonly c: number }) => Math.max(0, 100 - a - b - c),
      { c: "lower", b: "lower", a: "lower" },
    );
    expect(said(reachOf(own, { a: 40, b: 30, c: 10 }, 80).together)).toEqual([
      ["a", 10],
      ["b", 0],
    ]);
  });
});
