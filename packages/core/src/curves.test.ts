import { describe, expect, test } from "vitest";
import {
  createEngine,
  defineMetric,
  defineScorecard,
  halving,
  logPiecewise,
  lowestOf,
  type Point,
  piecewise,
  type ScoreFunction,
} from "./index.ts";

const textsOf = (scorer: ScoreFunction<Record<string, number>>, raw: Record<string, number>) =>
  scorer(raw).reasons.map(({ text }) => text);

describe("piecewise", () => {
  const points: readonly Point[] = [
    [95, 0],
    [99, 50],
    [99.9, 100],
  ];
  const { score: sla } = defineMetric({
    ...{ name: "sla", title: "Availability" },
    inputs: { availability_pct: { label: "the availability", unit: "%" } },
    score: piecewise(points),
  });

  test.each([
    {
      name: "far below the first point",
      input: 0,
      score: 0,
      text: "the availability is 0 %, which scores 0; the score rises evenly from 0 at 95 % to 50 at 99 %",
    },
    {
      name: "at the first point",
      input: 95,
      score: 0,
      text: "the availability is 95 %, which scores 0; the score rises evenly from 0 at 95 % to 50 at 99 %",
    },
    {
      name: "between the first two points",
      input: 97,
      score: 25,
      text: "the availability is 97 %, which scores 25; the score rises evenly from 0 at 95 % to 50 at 99 %",
    },
    {
      name: "at a knee",
      input: 99,
      score: 50,
      text: "the availability is 99 %, which scores 50; the score rises evenly from 50 at 99 % to 100 at 99.9 %",
    },
    {
      name: "above a knee",
      input: 99.45,
      score: 75,
      text: "the availability is 99.45 %, which scores 75; the score rises evenly from 50 at 99 % to 100 at 99.9 %",
    },
    {
      name: "at the last point",
      input: 99.9,
      score: 100,
      text: "the availability is 99.9 %, which scores 100; the score rises evenly from 50 at 99 % to 100 at 99.9 %",
    },
    {
      name: "above the last point",
      input: 99.95,
      score: 100,
      text: "the availability is 99.95 %, which scores 100; 99.9 % or more is enough for that",
    },
  ])("$name", ({ input, score, text }) => {
    const outcome = sla({ availability_pct: input });
    expect(outcome.score).toBeCloseTo(score, 9);
    expect(outcome.reasons).toMatchObject([{ field: "availability_pct", value: input, text }]);
  });

  test("ends and knees score exactly what is written", () => {
    expect(points.map(([input]) => sla({ availability_pct: input }).score)).toEqual([0, 50, 100]);
  });

  test("falls when the points fall", () => {
    const rate = piecewise("rate", [
      [5, 100],
      [10, 80],
    ]);
    expect([4, 5, 7.5, 10, 11].map((input) => rate({ rate: input }).score)).toEqual([100, 100, 90, 80, 80]);
  });

  test("takes negative inputs", () => {
    const drift = piecewise("drift", [
      [-10, 0],
      [10, 100],
    ]);
    expect([-11, -5, 0, 11].map((drifted) => drift({ drift: drifted }).score)).toEqual([0, 25, 50, 100]);
    expect(textsOf(drift, { drift: -5 })).toEqual([
      "drift is -5, which scores 25; the score rises evenly from 0 at -10 to 100 at 10",
    ]);
  });

  test.each([
    { name: "at a peak", input: 50, says: "falls evenly from 100 at 50 to 40 at 80" },
    { name: "behind a peak", input: 60, says: "falls evenly from 100 at 50 to 40 at 80" },
    { name: "on a plateau", input: 85, says: "stays at 40 from 80 to 90" },
    { name: "beyond a plateau", input: 91, says: "stays at 40 from 80 to 90" },
    { name: "where a plateau begins", input: 80, says: "falls evenly from 100 at 50 to 40 at 80" },
    { name: "before the first point", input: -1, says: "rises evenly from 0 at 0 to 100 at 50" },
  ])("says the line to the better score: $name", ({ input, says }) => {
    const hill = piecewise("load", [
      [0, 0],
      [50, 100],
      [80, 40],
      [90, 40],
    ]);
    expect(textsOf(hill, { load: input })).toEqual([expect.stringMatching(`; the score ${says}$`)]);
  });

  test.each([12.345, 49.994_999, 0.004, 99.996])("says the score of %d as an engine rounds it", (pct) => {
    const even = piecewise("pct", [
      [0, 0],
      [100, 100],
    ]);
    const raw = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as never;
    const metric = defineMetric<Record<"pct", number>>({ name: "pct", title: "Any", weight: 1, raw, score: even });
    const from = { name: "@acme/any", version: "1.0.0" };
    const engine = createEngine([
      defineScorecard({ name: "any", dimension: "run", weight: 1, package: from, metrics: [metric] }),
    ]);
    const { score, reasons } = engine.score("any", "pct", { pct });
    expect(reasons[0]?.text).toContain(`, which scores ${score};`);
  });

  test("an input that is no number is no score", () => {
    expect(sla({ availability_pct: Number.NaN })).toEqual({
      score: Number.NaN,
      reasons: [{ field: "availability_pct", value: Number.NaN, text: "the availability is not a number" }],
    });
  });
});

describe("logPiecewise", () => {
  const { score: mttr } = defineMetric({
    ...{ name: "mttr", title: "Time to recover" },
    inputs: { minutes: { label: "the time to recover", unit: "min" } },
    score: logPiecewise([
      [1, 100],
      [100, 50],
      [10_000, 0],
    ]),
  });

  test.each([
    { name: "0, of which there is no logarithm", input: 0, score: 100 },
    { name: "a negative input", input: -5, score: 100 },
    { name: "at the first point", input: 1, score: 100 },
    { name: "a tenth of the next point", input: 10, score: 75 },
    { name: "at a knee", input: 100, score: 50 },
    { name: "above a knee", input: 1_000, score: 25 },
    { name: "at the last point", input: 10_000, score: 0 },
    { name: "above the last point", input: 5_256_000, score: 0 },
  ])("$name", ({ input, score }) => expect(mttr({ minutes: input }).score).toBeCloseTo(score, 9));

  test("says in its reason what was measured", () => {
    expect(textsOf(mttr, { minutes: 1_440 })).toEqual([
      "the time to recover is 1,440 min, which scores 21.04; the score falls from 50 at 100 min to 0 at 10,000 min, by 7.53 points with every doubling",
    ]);
  });
});

describe("what the rule of a logarithm says", () => {
  test.each<[string, readonly Point[], number, string]>([
    [
      "falling",
      [
        [60, 100],
        [1_440, 80],
      ],
      240,
      "falls from 100 at 60 to 80 at 1,440, by 4.36 points with every doubling",
    ],
    [
      "rising",
      [
        [1, 0],
        [1_024, 10],
      ],
      2,
      "rises from 0 at 1 to 10 at 1,024, by 1 point with every doubling",
    ],
    [
      "a line that ends before it doubles",
      [
        [10, 100],
        [15, 80],
      ],
      12,
      "falls from 100 at 10 to 80 at 15",
    ],
    [
      "level",
      [
        [1, 50],
        [8, 50],
      ],
      2,
      "stays at 50 from 1 to 8",
    ],
  ])("%s", (_, points, input, rule) => {
    expect(textsOf(logPiecewise("n", points), { n: input })).toEqual([expect.stringMatching(`; the score ${rule}$`)]);
  });

  test("each doubling moves the score by the points it says", () => {
    const score = (n: number) =>
      logPiecewise("n", [
        [60, 100],
        [1_440, 80],
      ])({ n }).score;
    expect(score(120) - score(240)).toBeCloseTo(4.36, 2);
  });
});

describe("a definition that makes no sense is refused", () => {
  const rising = "needs at least two points, by rising input";
  const curve = (...points: Point[]) => piecewise("x", points);
  const log = (...points: Point[]) => logPiecewise("x", points);

  test.each<[string, () => unknown, string]>([
    ["no point", () => curve(), `piecewise("x"): ${rising}`],
    ["one point", () => curve([1, 50]), `piecewise("x"): ${rising}`],
    ["unsorted points", () => curve([2, 0], [1, 100]), `piecewise("x"): ${rising}`],
    ["the same input twice", () => curve([1, 0], [1, 100]), `piecewise("x"): ${rising}`],
    ["an input of NaN", () => curve([1, 0], [Number.NaN, 100]), `piecewise("x"): ${rising}`],
    [
      "an endless input",
      () => curve([1, 0], [Number.POSITIVE_INFINITY, 100]),
      'piecewise("x"): the input of every point is a finite number',
    ],
    ["a score below 0", () => curve([1, -1], [2, 100]), 'piecewise("x"): the score of every point is from 0 to 100'],
    ["a score above 100", () => curve([1, 0], [2, 101]), 'piecewise("x"): the score of every point is from 0 to 100'],
    ["a score of NaN", () => curve([1, 0], [2, Number.NaN]), 'piecewise("x"): the score of every point is from 0 to'],
    ["a logarithm of 0", () => log([0, 100], [1, 0]), 'logPiecewise("x"): every point needs an input above 0'],
    ["a logarithm of NaN", () => log([Number.NaN, 0], [1, 0]), 'logPiecewise("x"): every point needs an input above 0'],
    ["one point of a logarithm", () => log([1, 50]), `logPiecewise("x"): ${rising}`],
    ["no field to halve by", () => halving({}), "halving: every field needs a number above 0"],
    ["halving by 0", () => halving({ high: 0 }), "halving: every field needs a number above 0"],
    ["halving by less than 0", () => halving({ high: 5, low: -1 }), "halving: every field needs a number above 0"],
    ["halving by NaN", () => halving({ high: Number.NaN }), "halving: every field needs a number above 0"],
    ["halving by Infinity", () => halving({ high: Number.POSITIVE_INFINITY }), "halving: every field needs a number"],
    ["the lowest of nothing", () => lowestOf(), "lowestOf: needs at least one curve"],
  ])("%s", (_, define, message) => {
    expect(define).toThrow(
      expect.objectContaining({ code: "invalid-scorecard", message: expect.stringContaining(message) }),
    );
  });
});
