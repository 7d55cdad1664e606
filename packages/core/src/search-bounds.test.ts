import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { createEngine, type Engine } from "./engine.ts";
import { findGain } from "./gain.ts";
import { defineMetric, logPiecewise, lowestOf, piecewise } from "./index.ts";
import { findReach, nearest } from "./reach.ts";
import type { AnyMetric, Input, Outcome, ScoreFunction } from "./scorecard.ts";

/** How often a metric of three inputs may be scored to find what raises it. */
const mostCalls = 500;

const at = new Date("2026-01-31T12:00:00Z");

const size = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  fc.integer(),
  fc.maxSafeInteger().map((value) => value * 1_000),
  fc.constantFrom(0, -0, 1, 5e-324, 1e-310, 1e-110, 2 ** 53, 2 ** 53 + 2, 1e16, 1e18, 1.7e12, 1e100, 1e308),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, -1e18, -5e-324, -1),
);
const finite = size.filter(Number.isFinite);

const input: fc.Arbitrary<Input> = fc
  .record(
    {
      better: fc.constantFrom("lower", "higher"),
      type: fc.constantFrom("number", "integer", "boolean"),
      min: finite,
      max: finite,
    },
    { requiredKeys: ["better"] },
  )
  .filter(({ min, max }) => min === undefined || max === undefined || min < max) as fc.Arbitrary<Input>;

const fields = ["a", "b", "c"] as const;
type Raw = Readonly<Record<string, unknown>>;

/** What a function of an author answers: always the same for the same input, else anything. */
const anyAnswer = fc.func(fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(0, 50, 100, -1)));
const threshold = fc.record({ a: finite, b: finite, above: fc.boolean() }).map(({ a, b, above }) => (raw: Raw) => {
  const isGood = (value: unknown, bound: number) => (above ? Number(value) >= bound : Number(value) <= bound);
  return (isGood(raw.a, a) ? 60 : 10) + (isGood(raw.b, b) ? 40 : 0);
});
const author: fc.Arbitrary<ScoreFunction<never>> = fc
  .oneof(
    anyAnswer.map((answer) => (raw: Raw) => answer(...fields.map((field) => String(raw[field])))),
    threshold,
  )
  .map(
    (score) =>
      (raw: Raw): Outcome => ({ score: score(raw), reasons: [{ field: "a", value: null, text: "it is so" }] }),
  );

const curve: fc.Arbitrary<ScoreFunction<never>> = fc
  .record({
    field: fc.constantFrom(...fields),
    inputs: fc.uniqueArray(finite, { minLength: 2, maxLength: 4, comparator: "SameValueZero" }),
    scores: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ field, inputs, scores }) => {
    const points = inputs.sort((a, b) => a - b).map((value, index) => [value, scores[index] ?? 0] as const);
    return (points[0]?.[0] ?? 0) > 0 ? logPiecewise(field, points) : piecewise(field, points);
  });

const scorer = fc.oneof(
  author,
  curve,
  fc.tuple(curve, fc.oneof(curve, author)).map((both) => lowestOf(...both)),
);

/** A result that cannot be read for ever, so that an endless search fails: the engine does not catch what reading throws. */
function read(values: Raw): Raw {
  let reads = 0;
  const entries = Object.entries(values).map(([field, value]) => {
    const get = () => {
      if (reads++ > 3 * mostCalls) throw new RangeError("the search does not end");
      return value;
    };
    return [field, { enumerable: true, get }];
  });
  return Object.defineProperties({}, Object.fromEntries(entries)) as Raw;
}

/** Calls the function with an engine of this metric, and counts how often that scores. */
function counted(metric: AnyMetric, run: (engine: Engine) => unknown): number {
  let calls = 0;
  const own = createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine;
  const score: Engine["score"] = (...of) => {
    calls++;
    return own.score(...of);
  };
  try {
    run({ ...own, score });
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(invalid-raw|scorer-failed)$/) });
  }
  return calls;
}

const value = fc.oneof({ weight: 6, arbitrary: size }, { weight: 1, arbitrary: fc.boolean() });
const metric = fc
  .record({
    score: scorer,
    inputs: fc.record({ a: input, b: input, c: input }, { requiredKeys: ["a"] }),
    isOpen: fc.boolean(),
  })
  .map(({ score, inputs, isOpen }) =>
    isOpen ? metricWith({ name: "size", score, inputs }) : defineMetric({ name: "size", title: "Size", score, inputs }),
  );
/** Numbers that are but a little apart, too. */
const near = fc
  .tuple(finite, fc.constantFrom(1e-16, 1e-15, 1e-9, 1))
  .map(([one, by]) => [one, one - one * by] as const);
const raws = fc.record({ a: value, b: value, c: value });

describe("whatever the numbers are and whatever the scorer answers, a search ends", () => {
  test("for what reaches a minimum", () => {
    fc.assert(
      fc.property(metric, raws, fc.integer({ min: 0, max: 100 }), (metric, raw, minimum) => {
        const calls = counted(metric, (engine) => findReach(engine, "own", "size", read(raw), minimum));
        expect(calls).toBeLessThan(mostCalls);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  test("for what gains", () => {
    fc.assert(
      fc.property(metric, raws, fc.integer({ min: 0, max: 99 }), (metric, raw, score) => {
        const calls = counted(metric, (engine) =>
          findGain(engine, { "own.size": { score, reported_at: at, raw: read(raw) } }, at),
        );
        expect(calls).toBeLessThan(mostCalls);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  test("for the nearest value, which lies between and is enough", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(finite, finite), near),
        fc.boolean(),
        fc.func(fc.boolean()),
        ([from, best], whole, answer) => {
          let calls = 0;
          const tried = new Set([best]);
          const to = nearest(from, best, whole, (value) => {
            if (++calls > 50) throw new RangeError("the search does not end");
            if (value < Math.min(from, best) || value > Math.max(from, best))
              throw new RangeError(`${value} is outside`);
            if (answer(value)) tried.add(value);
            return tried.has(value);
          });
          expect(tried).toContain(to);
        },
      ),
      { numRuns: 1_000, endOnFailure: true },
    );
  });
});

describe("what is enough is found", () => {
  const sized = (score: ScoreFunction<never>, inputs: AnyMetric["inputs"]) =>
    createEngine([
      scorecardWith({
        name: "own",
        metrics: [defineMetric({ name: "size", title: "Size", score, inputs: { ...inputs } })],
      }),
    ]) as Engine;
  const falling = (from: number, to: number) =>
    piecewise("n", [
      [from, 100],
      [to, 0],
    ]) as ScoreFunction<never>;

  test.each([
    ["where whole numbers are differ in no double", 1e16, 1e18, 5e17, 1.09e17],
    ["of nanoseconds since 1970", 1.7e18, 1.8e18, 1.799e18, 1.71e18],
    ["of numbers smaller than most", 1e-110, 1e-105, 5e-106, 1e-106],
  ])("%s", (_, good, bad, from, expected) => {
    const engine = sized(falling(good, bad), { n: {} });
    const [{ to } = { to: Number.NaN }] = findReach(engine, "own", "size", read({ n: from }), 90).alone;
    expect(engine.score("own", "size", { n: to }).score).toBeGreaterThanOrEqual(90);
    expect(Number(to) / expected).toBeCloseTo(1, 1);
  });

  test("above 2^53, as the next value too", () => {
    const score = (({ n }: { readonly n: number }) => ({
      score: n >= 1e18 ? 0 : 100 * (1 - n / 1e18),
      reasons: [{ field: "n", value: n, text: "it is so" }],
    })) as ScoreFunction<never>;
    const engine = sized(score, { n: { better: "lower", min: 0 } });
    const raw = read({ n: 1e18 });
    const [gain] = findGain(engine, { "own.size": { score: 0, reported_at: at, raw } }, at).metrics;
    expect(gain?.steps).toMatchObject([{ field: "n", to: expect.closeTo(9.5005e17, -13), score: 5 }]);
  });
});
