import { describe, expect, test } from "vitest";
import { z } from "zod";
import { gainOf, metricWith, ownEngine, scorecardWith, sizedEngine } from "../test/scorecards.ts";
import { defineMetric } from "./define.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { ScoredRaw } from "./gain.ts";
import { piecewise } from "./piecewise.ts";

const at = new Date("2026-01-31T12:00:00Z");

describe("inputs of one's own", () => {
  type Two = { readonly a: number; readonly b: number };
  const steps = (engine: Engine, raw: ScoredRaw["raw"], score?: number) => {
    const scored = score ?? engine.score("own", "size", raw).score;
    const [gain] = gainOf(engine, [{ raw, reported_at: at, score: scored }], at).metrics;
    return gain?.steps.map(({ field, to }) => [field, to]);
  };

  test("stand in the order of what they gain, not of their names or of their fields", () => {
    const engine = ownEngine(
      z.object({ a: z.int().min(0), b: z.int().min(0), c: z.int().min(0) }),
      ({ a, b, c }: Two & { readonly c: number }) => Math.max(0, 100 - a - 3 * b - 2 * c),
      { a: "lower", b: "lower", c: "lower" },
    );
    expect(steps(engine, { a: 5, b: 5, c: 5 })).toEqual([
      ["b", 4],
      ["c", 4],
      ["a", 4],
    ]);
  });

  test("whole numbers, fractions and flags of one metric are kept apart", () => {
    const engine = ownEngine(
      z.object({
        bugs: z.int().min(0),
        share: z.number().min(0).max(1),
        tested: z.union([z.boolean(), z.literal([0, 1])]),
      }),
      ({ bugs, share, tested }: { readonly bugs: number; readonly share: number; readonly tested: boolean | number }) =>
        Math.max(0, 40 * Number(tested) + 40 * share + Math.max(0, 20 - bugs)),
      { bugs: "lower", share: "higher", tested: "higher" },
    );
    const raw = { bugs: 1, share: 0, tested: 0 };
    expect(steps(engine, raw)).toEqual([
      ["tested", true],
      ["share", 0.13],
      ["bugs", 0],
    ]);
    expect(steps(engine, { bugs: 0, share: 0.5, tested: 1 })).toEqual([["share", 0.625]]);
    expect(steps(engine, { ...raw, share: 1 })).toEqual([
      ["tested", true],
      ["bugs", 0],
    ]);
  });

  test("fewer of a fraction that is whole now, and at its highest", () => {
    const engine = ownEngine(z.object({ a: z.number().min(0).max(50) }), ({ a }: Pick<Two, "a">) => (50 - a) * 1.5, {
      a: "lower",
    });
    expect(steps(engine, { a: 50 })).toEqual([["a", 46.6]]);
  });

  test.each([
    [0, 0.25, 0, 0.013],
    [-3, 0.25, 0, 0.163],
    [0.9, 1.1, 1, 1.01],
  ])("a fraction of a range from %d to %d", (min, max, from, to) => {
    const engine = (type?: "integer") =>
      createEngine([
        scorecardWith({
          name: "own",
          metrics: [
            defineMetric({
              ...{ name: "size", title: "Size", inputs: { a: { min, max, better: "higher", ...(type && { type }) } } },
              score: ({ a }: { readonly a: number }) => ({
                score: (100 * (a - min)) / (max - min),
                reasons: [{ field: "a", value: a, text: "it is so" }],
              }),
            }),
          ],
        }),
      ]) as Engine;
    expect(steps(engine(), { a: from })).toEqual([["a", to]]);
    expect(steps(engine("integer"), { a: from })).toEqual([]);
  });

  test("what a number without fractions beside it takes is not taken for what the others take", () => {
    const engine = ownEngine(
      z.object({ a: z.number().refine(Number.isInteger) }),
      ({ a }: Pick<Two, "a">) => (a > 100 ? 0 : 100 - a),
      {
        a: "lower",
      },
    );
    expect(steps(engine, { a: 2 ** 53 })).toEqual([["a", 90]]);
    expect(steps(engine, { a: 40 })).toEqual([["a", 39]]);
  });

  test("a number where a flag would do stays a number", () => {
    const engine = ownEngine(
      z.object({ a: z.union([z.boolean(), z.int().min(0)]) }),
      ({ a }: { readonly a: number | boolean }) => Math.max(0, 100 - Number(a) * 10),
      { a: "lower" },
    );
    expect(steps(engine, { a: 6 })).toEqual([["a", 5]]);
    expect(steps(engine, { a: true })).toEqual([["a", false]]);
  });

  test("a percentage without a curve", () => {
    const engine = ownEngine(z.object({ a: z.number().min(0).max(100) }), ({ a }: Pick<Two, "a">) => a, {
      a: "higher",
    });
    expect(steps(engine, { a: 40.5 })).toEqual([["a", 45.5]]);
    expect(steps(engine, { a: 98 })).toEqual([["a", 100]]);
  });

  test("more of what has no bound", () => {
    const engine = ownEngine(
      z.object({ a: z.int().min(0) }),
      ({ a }: Pick<Two, "a">) => Math.min(100, a < 3 ? a * 0.1 : a * 10),
      { a: "higher" },
    );
    for (const from of [0, 1, 2]) expect(steps(engine, { a: from }), `from ${from}`).toEqual([["a", 3]]);
  });

  test("values that are refused are never enough, not where the score is 0 either", () => {
    const tens = z.object({ a: z.number().multipleOf(10).min(0) });
    const all = ownEngine(tens, ({ a }: Pick<Two, "a">) => (a === 0 ? 80 : 0), { a: "lower" });
    expect(steps(all, { a: 40 })).toEqual([["a", 0]]);
    const none = ownEngine(tens, ({ a }: Pick<Two, "a">) => Math.min(0, a), { a: "lower" });
    expect(steps(none, { a: 40 })).toEqual([]);
    const fractions = ownEngine(
      z.object({ a: z.number().refine((value) => value > 9 || value === 0) }),
      ({ a }: Pick<Two, "a">) => (a === 0 ? 80 : 0),
      { a: "lower" },
    );
    expect(steps(fractions, { a: 9.5 })).toEqual([["a", 0]]);
  });

  test("a text that the metric takes for a number has no next value, nor has a field that was left out", () => {
    const engine = ownEngine(
      z.object({ a: z.coerce.number(), b: z.number().optional() }),
      ({ a, b = 0 }: Partial<Two> & { readonly a: number }) => Math.max(0, 100 - a - b),
      { a: "lower", b: "lower" },
    );
    expect(steps(engine, { a: "40" })).toEqual([]);
  });

  test("never against the direction, wherever the curve has its corners", () => {
    const engine = (direction: "lower" | "higher") => {
      const points = [
        [0, 100],
        [10, 20],
        [20, 100],
      ] as const;
      const metric = metricWith({ name: "size", score: piecewise("a", points), better: { a: direction } });
      return createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine;
    };
    expect(steps(engine("lower"), { a: 12 })).toEqual([["a", 0]]);
    expect(steps(engine("higher"), { a: 8 })).toEqual([["a", 20]]);
  });

  test("what the rules of today score 100 needs no step, though its score is of older rules", () => {
    expect(
      steps(
        sizedEngine((size) => Math.min(100, 140 - size)),
        { size: 40 },
        80,
      ),
    ).toEqual([]);
    expect(
      steps(
        sizedEngine((size) => Math.min(100, 140 - size)),
        { size: 60 },
        70,
      ),
    ).toEqual([["size", 55]]);
  });
});

describe("how often a metric is tried", () => {
  /** An engine of one metric, and how many fields each value had that it was tried with. */
  function counting(isInput = true) {
    const widths: number[] = [];
    const engine = ownEngine<Readonly<Record<string, number>>>(
      z.looseObject({ size: z.int().min(0) }),
      (raw) => {
        widths.push(Object.keys(raw).length);
        const { size = 0, other = 0 } = raw;
        return isInput || other > 0 ? Math.max(0, 100 - Math.ceil(size / 1_000)) : 10;
      },
      { size: "lower" },
    );
    return { engine, widths };
  }
  const wide = (fields: number) =>
    Object.fromEntries([["size", 40_000], ...Array.from({ length: fields - 1 }, (_, index) => [`field_${index}`, 0])]);

  test("with all fields only to learn its score and to prove its step, if they are more than 50", () => {
    const { engine, widths } = counting();
    const own = { raw: wide(51), reported_at: at, score: 60 };
    gainOf(engine, [own], at);
    expect(widths.filter((width) => width > 1)).toHaveLength(2);
    widths.length = 0;
    gainOf(engine, [{ ...own, raw: wide(50) }], at);
    expect(widths.filter((width) => width === 1)).toEqual([]);
  });

  test("with all fields, if one that is no input counts, though none of the inputs' own steps would show it", () => {
    const { engine } = counting(false);
    const own = { raw: { ...wide(60), other: 1 }, reported_at: at, score: 60 };
    expect(gainOf(engine, [own], at).metrics[0]?.steps).toMatchObject([{ field: "size", to: 39_000, score: 61 }]);
  });

  test("the best value and the nearest first, each value once, and what it takes asked once", () => {
    const tried: unknown[] = [];
    const schema = z.object({
      a: z.unknown().refine((value) => {
        tried.push(value);
        return Number.isInteger(value) && Number(value) >= 0;
      }),
    });
    const score = ({ a }: { readonly a: number }) => Math.max(0, 100 - a / 10);
    const engine = ownEngine(schema, score, { a: "lower" });
    const gain = (a: number) => {
      tried.length = 0;
      gainOf(engine, [{ raw: { a }, reported_at: at, score: score({ a }) }], at);
      return [...tried];
    };
    const [first, ...rest] = gain(400);
    expect(first).toBe(400);
    expect(new Set(rest).size).toBe(rest.length);
    expect(rest).toEqual(expect.arrayContaining([400.5, 399.5, 399, 0]));
    const again = gain(300);
    expect(again).not.toContain(300.5);
    expect(again.slice(0, 3)).toEqual([300, 0, 299]);
  });
});
