import { describe, expect, test } from "vitest";
import {
  createEngine,
  defineMetric,
  defineScorecard,
  halving,
  logPiecewise,
  lowestOf,
  type Point,
  passFail,
  piecewise,
  type Scorer,
} from "./index.ts";

const textsOf = (scorer: Scorer<Record<string, number>>, raw: Record<string, number>) =>
  scorer(raw).reasons.map(({ text }) => text);

describe("piecewise", () => {
  const points: readonly Point[] = [
    [95, 0],
    [99, 50],
    [99.9, 100],
  ];
  const sla = piecewise("availability_pct", points, { label: "the availability", unit: "%" });

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
    expect(outcome.reasons).toEqual([{ field: "availability_pct", value: input, text }]);
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
  ])("tells the line to the better score: $name", ({ input, says }) => {
    const hill = piecewise("load", [
      [0, 0],
      [50, 100],
      [80, 40],
      [90, 40],
    ]);
    expect(textsOf(hill, { load: input })).toEqual([expect.stringMatching(`; the score ${says}$`)]);
  });

  test.each([12.345, 49.994_999, 0.004, 99.996])("tells the score of %d as an engine rounds it", (pct) => {
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
  const mttr = logPiecewise(
    "minutes",
    [
      [1, 100],
      [100, 50],
      [10_000, 0],
    ],
    { label: "the time to recover", unit: "min" },
  );

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

  test("each doubling moves the score by the points it tells", () => {
    const score = (n: number) =>
      logPiecewise("n", [
        [60, 100],
        [1_440, 80],
      ])({ n }).score;
    expect(score(120) - score(240)).toBeCloseTo(4.36, 2);
  });
});

describe("halving", () => {
  const scan = halving({ critical: 1, high: 5, medium: 40 });
  const clean = { critical: 0, high: 0, medium: 0 };

  test.each([
    { name: "no findings", raw: clean, score: 100 },
    { name: "one halving", raw: { ...clean, critical: 1 }, score: 50 },
    { name: "one halving by many", raw: { ...clean, medium: 40 }, score: 50 },
    { name: "many halvings", raw: { ...clean, critical: 4 }, score: 6.25 },
    { name: "three fifths of a halving", raw: { ...clean, high: 3 }, score: 65.975_395_538_644_7 },
    { name: "halvings of several fields add up", raw: { critical: 1, high: 5, medium: 40 }, score: 12.5 },
    { name: "so many that nothing is left", raw: { ...clean, critical: 1_000_000_000 }, score: 0 },
  ])("$name", ({ raw, score }) => expect(scan(raw).score).toBeCloseTo(score, 12));

  test("names in its reasons what costs something, in the order of the fields", () => {
    expect(scan({ critical: 1, high: 0, medium: 1_200 }).reasons).toEqual([
      { field: "critical", value: 1, text: "1 critical finding leaves 50 % of the score; each one halves it" },
      {
        field: "medium",
        value: 1_200,
        text: "1,200 medium findings leave less than 0.1 % of the remaining score; every 40 of them halve it",
      },
    ]);
  });

  test("each reason tells the share it leaves of what those before it left", () => {
    const { score, reasons } = scan({ critical: 2, high: 10, medium: 40 });
    const shares = reasons.map(({ text }) => Number(/leaves? ([\d.]+) %/.exec(text)?.[1]) / 100);
    expect(shares.reduce((left, share) => left * share, 100)).toBeCloseTo(score, 12);
    expect(reasons.map(({ text }) => / of (.+); /.exec(text)?.[1])).toEqual([
      "the score",
      "the remaining score",
      "the remaining score",
    ]);
  });

  test("says what is absent when nothing costs anything", () => {
    expect(scan(clean).reasons).toEqual([
      { field: "critical", value: 0, text: "0 critical findings leave the score at 100; each one would halve it" },
      { field: "high", value: 0, text: "0 high findings leave the score at 100; every 5 of them would halve it" },
      { field: "medium", value: 0, text: "0 medium findings leave the score at 100; every 40 of them would halve it" },
    ]);
  });

  test.each([
    { name: "two digits", raw: 3, text: "3 open bugs leave 66 % of the score; every 5 of them halve it" },
    {
      name: "one thing, in the singular",
      raw: 1,
      text: "1 open bug leaves 87 % of the score; every 5 of them halve it",
    },
    {
      name: "small but not nothing",
      raw: 49,
      text: "49 open bugs leave 0.11 % of the score; every 5 of them halve it",
    },
    {
      name: "next to nothing",
      raw: 50,
      text: "50 open bugs leave less than 0.1 % of the score; every 5 of them halve it",
    },
    {
      name: "hardly a loss",
      raw: 0.03,
      text: "0.03 open bugs leave more than 99 % of the score; every 5 of them halve it",
    },
  ])("writes what is left of the score: $name", ({ raw, text }) => {
    expect(textsOf(halving({ open: 5 }, { noun: ["bug", "bugs"] }), { open: raw })).toEqual([text]);
  });
});

test("a field of several words is told as words", () => {
  const flaky = halving({ not_run: 1, run_twice: 4 }, { noun: ["test", "tests"] });
  expect(textsOf(flaky, { not_run: 1, run_twice: 2 })).toEqual([
    "1 not run test leaves 50 % of the score; each one halves it",
    "2 run twice tests leave 71 % of the remaining score; every 4 of them halve it",
  ]);
});

describe("passFail", () => {
  const encrypted = passFail("encrypted", { passes: true, pass: "it is encrypted", fail: "it is not encrypted" });
  const leaked = passFail("leaked", { passes: false, pass: "nothing leaked", fail: "something leaked" });

  test.each([
    {
      name: "true passes",
      outcome: encrypted({ encrypted: true }),
      score: 100,
      text: "it is encrypted, which scores 100; the score is 0 when it is not encrypted",
    },
    {
      name: "false fails",
      outcome: encrypted({ encrypted: false }),
      score: 0,
      text: "it is not encrypted, which scores 0; the score is 100 when it is encrypted",
    },
    {
      name: "false passes",
      outcome: leaked({ leaked: false }),
      score: 100,
      text: "nothing leaked, which scores 100; the score is 0 when something leaked",
    },
    {
      name: "true fails",
      outcome: leaked({ leaked: true }),
      score: 0,
      text: "something leaked, which scores 0; the score is 100 when nothing leaked",
    },
  ])("$name", ({ outcome, score, text }) => {
    expect(outcome).toEqual({ score, reasons: [expect.objectContaining({ text })] });
  });

  test("its reason has field and value", () => {
    expect(leaked({ leaked: true }).reasons[0]).toMatchObject({ field: "leaked", value: true });
  });
});

describe("lowestOf", () => {
  const upTo100 = (field: string) =>
    piecewise(field, [
      [0, 0],
      [100, 100],
    ]);
  const load = lowestOf(upTo100("a"), upTo100("b"), upTo100("c"));

  test.each([
    { name: "the first is lowest", raw: { a: 1, b: 2, c: 3 }, score: 1, fields: ["a", "b", "c"] },
    { name: "the last is lowest", raw: { a: 3, b: 2, c: 1 }, score: 1, fields: ["c", "b", "a"] },
    { name: "a tie keeps the order of the curves", raw: { a: 9, b: 5, c: 5 }, score: 5, fields: ["b", "c", "a"] },
    { name: "what costs nothing comes last", raw: { a: 100, b: 50, c: 100 }, score: 50, fields: ["b", "a", "c"] },
    { name: "all are mentioned when none costs", raw: { a: 100, b: 100, c: 100 }, score: 100, fields: ["a", "b", "c"] },
    { name: "all at 0", raw: { a: 0, b: 0, c: 0 }, score: 0, fields: ["a", "b", "c"] },
  ])("$name", ({ raw, score, fields }) => {
    const outcome = load(raw);
    expect(outcome.score).toBe(score);
    expect(outcome.reasons.map(({ field }) => field)).toEqual(fields);
  });

  test("says which curve counts", () => {
    expect(textsOf(load, { a: 5, b: 9, c: 5 })).toEqual([
      "a is 5, which scores 5; the score rises evenly from 0 at 0 to 100 at 100; this score counts because no other is lower",
      "c is 5, which scores 5; the score rises evenly from 0 at 0 to 100 at 100; this score counts because no other is lower",
      "b is 9, which scores 9; the score rises evenly from 0 at 0 to 100 at 100; this score does not count because another is lower",
    ]);
    expect(textsOf(load, { a: 100, b: 9, c: 100 })[1]).toBe(
      "a is 100, which scores 100; the score rises evenly from 0 at 0 to 100 at 100; this score does not count because another is lower",
    );
    expect(textsOf(load, { a: 100, b: 100, c: 100 })[0]).toBe(
      "a is 100, which scores 100; the score rises evenly from 0 at 0 to 100 at 100",
    );
  });

  test.each([
    { name: "first", raw: { a: Number.NaN, b: 5, c: 100 } },
    { name: "last", raw: { a: 100, b: 5, c: Number.NaN } },
  ])("a curve without a score is not hidden by the others: $name", ({ raw }) => {
    expect(load(raw).score).toBeNaN();
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
