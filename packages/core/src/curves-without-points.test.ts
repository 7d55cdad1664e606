import { describe, expect, test } from "vitest";
import { defineMetric, halving, lowestOf, passFail, piecewise, type ScoreFunction } from "./index.ts";

/** `halving` of inputs that count these. */
const counting = (halvedBy: Readonly<Record<string, number>>, units: Readonly<Record<string, [string, string]>>) =>
  defineMetric({
    ...{ name: "counted", title: "Counted" },
    inputs: Object.fromEntries(Object.entries(units).map(([field, unit]) => [field, { unit }])),
    score: halving(halvedBy),
  }).score;

const textsOf = (scorer: ScoreFunction<Record<string, number>>, raw: Record<string, number>) =>
  scorer(raw).reasons.map(({ text }) => text);

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
    expect(scan({ critical: 1, high: 0, medium: 1_200 }).reasons).toMatchObject([
      { field: "critical", value: 1, text: "1 critical finding leaves 50 % of the score; each one halves it" },
      {
        field: "medium",
        value: 1_200,
        text: "1,200 medium findings leave less than 0.1 % of the remaining score; every 40 of them halve it",
      },
    ]);
  });

  test("each reason says the share it leaves of what the reasons before it left", () => {
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
    expect(scan(clean).reasons).toMatchObject([
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
    expect(textsOf(counting({ open: 5 }, { open: ["open bug", "open bugs"] }), { open: raw })).toEqual([text]);
  });
});

test("a field of several words is written as words", () => {
  const flaky = halving({ not_run: 1, run_twice: 4 });
  expect(textsOf(flaky, { not_run: 1, run_twice: 2 })).toEqual([
    "1 not run finding leaves 50 % of the score; each one halves it",
    "2 run twice findings leave 71 % of the remaining score; every 4 of them halve it",
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

  test.each([
    { a: 5, b: 9, c: 5 },
    { a: 9, b: 1, c: 5 },
    { a: 0, b: 100, c: 100 },
    { a: 100, b: 100, c: 100 },
  ])("of the lowest is that of all curves: %j", (raw) => {
    const nested = lowestOf(upTo100("a"), lowestOf(lowestOf(upTo100("b")), upTo100("c")));
    expect(nested(raw)).toEqual(load(raw));
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
