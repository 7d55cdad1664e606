import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failures, goodCases, outcome, withMetric } from "../test/bugs.ts";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { halving, passFail, type ScoreFunction } from "./index.ts";
import { checkScorecard, type GoldenCase, notACount, notAFlag, notANumber, refused } from "./testing.ts";

describe("a good scorecard passes", () => {
  const flag = z.object({ on: z.boolean() });
  const optional = z.object({ high: z.int().min(0), low: z.int().min(0).default(0) });
  const graded = z.object({ grade: z.enum(["a", "b"]), tags: z.array(z.string()) });
  const byGrade: ScoreFunction<{ grade: string }> = ({ grade }) => outcome(grade === "a" ? 100 : 0, "grade");

  test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, GoldenCase>>]>([
    ["counts", {}, goodCases],
    ["without directions", { better: undefined }, goodCases],
    ["an unknown field in a case", {}, { ...goodCases, extra: { raw: { high: 0, low: 7 }, score: 100 } }],
    [
      "a flag",
      { raw: flag, score: passFail("on", { passes: true, pass: "on", fail: "off" }), better: { on: "higher" } },
      { on: { raw: { on: true }, score: 100 } },
    ],
    [
      "an optional field",
      { raw: optional, score: halving({ high: 5, low: 10 }), better: { high: "lower", low: "lower" } },
      { without: { raw: { high: 0 }, score: 100 }, with: { raw: { high: 0, low: 10 }, score: 50 } },
    ],
    [
      "texts and lists",
      { raw: graded, score: byGrade, better: {} },
      { a: { raw: { grade: "a", tags: [] }, score: 100 }, b: { raw: { grade: "b", tags: ["x"] }, score: 0 } },
    ],
  ])("%s", (_, changes, cases) => expect(failures(withMetric(changes), { bugs: cases })).toEqual({}));

  test("its checks have names", () => {
    expect(checkScorecard(withMetric({}), { bugs: goodCases }).map(({ name }) => name)).toEqual([
      "cost keeps the contract",
      "cost.bugs refuses junk",
      "cost.bugs lets fields pass that it does not know",
      "cost.bugs takes what its inputs declare",
      "cost.bugs scores within 0–100",
      "cost.bugs scores the same input the same",
      "cost.bugs gives reasons that name its inputs",
      "cost.bugs never scores a better input lower",
      "cost.bugs: no bugs",
      "cost.bugs: five bugs halve",
      "cost.bugs: half a bug",
    ]);
  });
});

test("cases that must be refused are made of one that fits", () => {
  const cases = refused({ high: 0, low: 1 }, "high", { null: null, "as text": "0" });
  expect(cases).toEqual({
    "high missing": { raw: { low: 1 }, refused: "raw.high" },
    "high null": { raw: { high: null, low: 1 }, refused: "raw.high" },
    "high as text": { raw: { high: "0", low: 1 }, refused: "raw.high" },
  });
});

test("wrong values are of each kind, and wrong by little", () => {
  const infinite = { NaN: Number.NaN, "infinite, as JSON reads 1e400": Number.POSITIVE_INFINITY };
  expect(notANumber).toEqual({
    ...infinite,
    "as text": "80",
    null: null,
    "a boolean": true,
    "minus infinite": Number.NEGATIVE_INFINITY,
    "below 0": -0.001,
  });
  expect(notACount).toEqual({
    ...infinite,
    "as text": "3",
    null: null,
    "a boolean": true,
    "a fraction": 1.5,
    "below 0": -1,
    "above a billion": 1_000_000_001,
  });
  expect(notAFlag).toEqual({
    ...infinite,
    "as text": "true",
    "as an empty text": "",
    "as the text 1": "1",
    null: null,
    "above 1": 2,
    "below 0": -1,
    "a fraction": 0.5,
  });
});

test("each of several metrics may have cases, and a check that only holds or not says so", () => {
  const both = scorecardWith({ metrics: [metricWith({ name: "a" }), metricWith({ name: "b" })] });
  const [contract, junk] = checkScorecard(both, { a: {}, b: {} });
  expect(() => contract?.run()).not.toThrow();
  expect(() => junk?.run()).toThrow(expect.objectContaining({ name: "CheckFailure", expected: true, actual: false }));
});

describe("under any runner", () => {
  for (const { name, run } of checkScorecard(withMetric({}), { bugs: goodCases })) test(name, run);

  test("a check takes no arguments, so that no runner waits for a callback", () => {
    for (const { run } of checkScorecard(withMetric({}), { bugs: goodCases })) {
      expect(run).toHaveLength(0);
      expect(run()).toBeUndefined();
    }
  });

  test("any function of the form test(name, run) will do", () => {
    const seen: string[] = [];
    const it = (name: string, run: (done?: () => void) => unknown) => {
      run(() => {});
      seen.push(name);
    };
    const checks = checkScorecard(withMetric({}), { bugs: goodCases });
    for (const { name, run } of checks) it(name, run);
    expect(seen).toEqual(checks.map(({ name }) => name));
  });
});
