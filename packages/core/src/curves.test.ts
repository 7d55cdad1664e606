import { describe, expect, test } from "vitest";
import { halving, logPiecewise, lowestOf, type Point, passFail, piecewise, type Scorer } from "./index.ts";

const textsOf = (scorer: Scorer<Record<string, number>>, raw: Record<string, number>) =>
  scorer(raw).reasons.map(({ text }) => text);

describe("piecewise", () => {
  const points: readonly Point[] = [
    [95, 0],
    [99, 50],
    [99.9, 100],
  ];
  const sla = piecewise("availability_pct", points, { label: "availability", unit: "%" });

  test.each([
    { name: "far below the first point", input: 0, score: 0, text: "availability 0 %: 95 % or less scores 0" },
    { name: "at the first point", input: 95, score: 0, text: "availability 95 %: scores 0" },
    {
      name: "between the first two points",
      input: 97,
      score: 25,
      text: "availability 97 %: between 95 % (0) and 99 % (50)",
    },
    { name: "at a knee", input: 99, score: 50, text: "availability 99 %: scores 50" },
    {
      name: "above a knee",
      input: 99.45,
      score: 75,
      text: "availability 99.45 %: between 99 % (50) and 99.9 % (100)",
    },
    { name: "at the last point", input: 99.9, score: 100, text: "availability 99.9 %: scores 100" },
    {
      name: "above the last point",
      input: 99.95,
      score: 100,
      text: "availability 99.95 %: 99.9 % or more scores 100",
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
    expect(textsOf(drift, { drift: -5 })).toEqual(["drift -5: between -10 (0) and 10 (100)"]);
  });

  test("an input that is no number is no score", () => {
    expect(sla({ availability_pct: Number.NaN })).toEqual({
      score: Number.NaN,
      reasons: [{ field: "availability_pct", value: Number.NaN, text: "availability NaN %: is not a number" }],
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
    { label: "time to recover", unit: "min" },
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
      "time to recover 1,440 min: between 100 min (50) and 10,000 min (0)",
    ]);
  });
});

describe("numbers in reasons", () => {
  const any = piecewise("n", [
    [1e30, 0],
    [2e30, 1],
  ]);

  test.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [999, "999"],
    [999.5, "999.5"],
    [1_000, "1,000"],
    [1_440, "1,440"],
    [1_234_567.25, "1,234,567.25"],
    [99.95, "99.95"],
    [0.1 + 0.2, "0.30000000000000004"],
    [0.001, "0.001"],
    [0.000_5, "0.0005"],
    [1e-7, "0.0000001"],
    [1e21, "1,000,000,000,000,000,000,000"],
    [-3, "-3"],
    [-0.25, "-0.25"],
    [-1_440, "-1,440"],
  ])("%d is written %s", (input, written) => {
    const [text = ""] = textsOf(any, { n: input });
    expect(text.slice(0, text.indexOf(":"))).toBe(`n ${written}`);
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
      { field: "critical", value: 1, text: "1 critical finding: × 0.5; each one halves the score" },
      { field: "medium", value: 1_200, text: "1,200 medium findings: × less than 0.001; every 40 halve the score" },
    ]);
  });

  test("says what is absent when nothing costs anything", () => {
    expect(scan(clean).reasons).toEqual([
      { field: "critical", value: 0, text: "no critical findings" },
      { field: "high", value: 0, text: "no high findings" },
      { field: "medium", value: 0, text: "no medium findings" },
    ]);
  });

  test.each([
    { name: "two digits", raw: 3, text: "3 open bugs: × 0.66; every 5 halve the score" },
    { name: "one thing, in the singular", raw: 1, text: "1 open bug: × 0.87; every 5 halve the score" },
    { name: "small but not nothing", raw: 49, text: "49 open bugs: × 0.0011; every 5 halve the score" },
    { name: "next to nothing", raw: 50, text: "50 open bugs: × less than 0.001; every 5 halve the score" },
    { name: "hardly a loss", raw: 0.03, text: "0.03 open bugs: × more than 0.99; every 5 halve the score" },
  ])("writes what is left of the score: $name", ({ raw, text }) => {
    expect(textsOf(halving({ open: 5 }, { noun: ["bug", "bugs"] }), { open: raw })).toEqual([text]);
  });
});

describe("passFail", () => {
  const encrypted = passFail("encrypted", { passes: true, pass: "it is encrypted", fail: "it is not encrypted" });
  const leaked = passFail("leaked", { passes: false, pass: "nothing leaked", fail: "something leaked" });

  test.each([
    { name: "true passes", outcome: encrypted({ encrypted: true }), score: 100, text: "it is encrypted" },
    { name: "false fails", outcome: encrypted({ encrypted: false }), score: 0, text: "it is not encrypted" },
    { name: "false passes", outcome: leaked({ leaked: false }), score: 100, text: "nothing leaked" },
    { name: "true fails", outcome: leaked({ leaked: true }), score: 0, text: "something leaked" },
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
      "a 5: between 0 (0) and 100 (100); the lowest counts",
      "c 5: between 0 (0) and 100 (100); the lowest counts",
      "b 9: between 0 (0) and 100 (100); not the lowest, so it does not count",
    ]);
    expect(textsOf(load, { a: 100, b: 9, c: 100 })[1]).toBe("a 100: scores 100; not the lowest, so it does not count");
    expect(textsOf(load, { a: 100, b: 100, c: 100 })[0]).toBe("a 100: scores 100");
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
