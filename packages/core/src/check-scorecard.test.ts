import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failures, goodCases, high, outcome, type Raw, withMetric } from "../test/bugs.ts";
import { scorecardWith } from "../test/scorecards.ts";
import { halving, type Input, piecewise, type Scorecard } from "./index.ts";
import { schemaOf } from "./input-schema.ts";
import { checkScorecard, type GoldenCase } from "./testing.ts";

/** A scorer that gives one reason with this text. */
const saying = (text: string) => () => ({ score: 50, reasons: [{ field: "high", value: "any", text }] });

test.each(["x", "it is so", "so in v1.2, now"])("a reason may be %j", (text) => {
  const found = failures(withMetric({ score: saying(text) }), { bugs: goodCases });
  expect(found).not.toHaveProperty(["cost.bugs gives reasons that name its inputs"]);
});

describe("a bad scorecard fails", () => {
  const rising = piecewise("high", [
    [0, 0],
    [10, 100],
  ]);
  const dip = ({ high }: Raw) => outcome(high === 6 ? 60 : 100 - Math.min(high, 100));
  let calls = 0;
  const unsteady = () => outcome(calls++ % 100);
  const beyond = ({ high }: Raw) => outcome(high > 1_000 ? 101 : 50);
  const boundless = ({ high }: Raw) => outcome(100 - high);
  const mutating = (raw: { high: number }) => outcome(100 - Math.min(raw.high++, 100));
  const lax = z.object({ high: z.coerce.number() });
  const passing = { ...high["~standard"], validate: (value: unknown) => ({ value }) };
  const promising = { ...high["~standard"], validate: async (value: unknown) => ({ value }) };

  test.each<[string, Readonly<Record<string, unknown>>, string, RegExp]>([
    [
      "a better input scores lower",
      { score: rising },
      "never scores a better input lower",
      /^high is better lower, but \{"high":\d+\} scores [\d.]+ and \{"high":\d+\} scores [\d.]+$/,
    ],
    [
      "at one value only, next to a case",
      { score: dip },
      "never scores a better input lower",
      /^high is better lower, but \{"high":\d+\} scores 9\d and \{"high":6\} scores 60$/,
    ],
    [
      "the direction is the wrong way round",
      { better: { high: "higher" } },
      "never scores a better input lower",
      /^high is better higher, but \{"high":0\} scores 100 and \{"high":5\} scores 50$/,
    ],
    [
      "the direction is of a field that does not exist",
      { better: { hihg: "lower" } },
      "never scores a better input lower",
      /^hihg has a better direction, but no case has a number or a flag there$/,
    ],
    [
      "the score changes from call to call",
      { score: unsteady },
      "scores the same input the same",
      /^raw \{"high":0\} gave \{"score":\d+,.*\}, then \{"score":\d+,/,
    ],
    [
      "the score leaves its bounds upwards",
      { score: beyond },
      "scores within 0–100",
      /^cost.bugs of @acme\/cost@1.2.3 returned 101, not a score from 0 to 100$/,
    ],
    ["the score leaves its bounds downwards", { score: boundless }, "scores within 0–100", / returned -\d+, not a /],
    [
      "the scorer changes its input",
      { score: mutating, raw: { "~standard": passing } },
      "scores the same input the same",
      /^raw \{"high":0\} was changed to \{"high":1\}$/,
    ],
    [
      "texts are accepted for numbers",
      { raw: lax },
      "refuses junk",
      /^raw \{"high":"0"\} should be refused, but it got 100$/,
    ],
    ["everything is accepted", { raw: { "~standard": passing } }, "refuses junk", /^raw \{\} should be refused, but /],
    [
      "a field that it does not know is refused",
      { raw: z.strictObject({ high: z.int().min(0) }) },
      "lets fields pass that it does not know",
      /^raw \{"high":0\} with another field: MaturityError: raw does not fit cost.bugs: /,
    ],
    ...(
      [
        ["the end of a range is refused", { min: -1 }, "high should take -1, which its range includes"],
        ["what lies below a range is taken", { min: 1 }, "high should refuse 0, by its range and type"],
        ["what lies above a range is taken", { max: 1_000 }, "high should refuse 1001, by its range and type"],
      ] as const
    ).map(([name, range, message]): [string, Readonly<Record<string, unknown>>, string, RegExp] => [
      name,
      { inputs: { high: range } },
      "takes what its inputs declare",
      new RegExp(`^${message}$`),
    ]),
    [
      "a fraction of an integer is taken",
      { raw: z.object({ high: z.number().min(2) }), inputs: { high: { min: 2, type: "integer" } } },
      "takes what its inputs declare",
      /^high should refuse 2.5, by its range and type$/,
    ],
    [
      "a fraction of an integer without a range is taken",
      { raw: z.object({ high: z.number() }), inputs: { high: { type: "integer" } } },
      "takes what its inputs declare",
      /^high should refuse 0.5, by its range and type$/,
    ],
    [
      "a reason names no input",
      { score: () => outcome(50, "low") },
      "gives reasons that name its inputs",
      /^a reason names low, which is no field of any case$/,
    ],
    [
      "a reason says another value",
      { score: ({ high }: Raw) => ({ score: 50, reasons: [{ field: "high", value: high + 1, text: "so" }] }) },
      "gives reasons that name its inputs",
      /^a reason says high 1, which was 0$/,
    ],
    [
      "a reason ends with a full stop",
      { score: saying("it is so.") },
      "gives reasons that name its inputs",
      /^the reason "it is so\." must be one sentence without the final full stop$/,
    ],
    [
      "the validator is asynchronous",
      { raw: { "~standard": promising } },
      "refuses junk",
      /should be refused, but MaturityError: .* has an asynchronous validator; it must be synchronous$/,
    ],
  ])("%s", (_, changes, check, message) => {
    expect(failures(withMetric(changes), { bugs: goodCases })[`cost.bugs ${check}`]).toMatch(message);
  });

  test.each<[string, GoldenCase, RegExp]>([
    [
      "a wrong score",
      { raw: { high: 5 }, score: 49.99 },
      /^expected 49.99, got 50: \[\{"field":"high","value":5,"text":"5 high findings /,
    ],
    [
      "wrong reasons",
      { raw: { high: 5 }, score: 50, reasons: ["high", "low"] },
      /^expected reasons high, low, got high$/,
    ],
    ["no reasons expected", { raw: { high: 5 }, score: 50, reasons: [] }, /^expected reasons , got high$/],
    [
      "a refused input that fits",
      { raw: { high: 5 }, refused: "raw.high" },
      /^expected a fault at raw.high, but it got a/,
    ],
    [
      "a refusal elsewhere",
      { raw: { high: -1 }, refused: "raw.low" },
      /^expected a fault at raw.low, got MaturityError: raw does not fit cost.bugs: raw.high: /,
    ],
    ["a scored input that is refused", { raw: { high: -1 }, score: 0 }, /^raw does not fit cost.bugs: raw.high: /],
  ])("a case expects %s", (_, golden, message) => {
    expect(failures(withMetric({}), { bugs: { ...goodCases, golden } })["cost.bugs: golden"]).toMatch(message);
  });

  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ["refuses junk", { raw: lax }, { expected: "a refusal", actual: "it got 100" }],
    [
      "lets fields pass that it does not know",
      { raw: z.strictObject({ high: z.int().min(0) }) },
      { expected: "it got 100", actual: expect.stringContaining("a field that no metric knows") },
    ],
    [
      "scores the same input the same",
      { score: unsteady },
      { expected: expect.objectContaining({ score: expect.any(Number) }), actual: expect.objectContaining({}) },
    ],
    [
      "scores the same input the same",
      { score: mutating, raw: { "~standard": passing } },
      { expected: { high: 0 }, actual: { high: 1 } },
    ],
    ["never scores a better input lower", { score: rising }, { expected: expect.stringMatching(/^at least \d/) }],
    ["gives reasons that name its inputs", { score: () => outcome(50, "low") }, { expected: ["high"], actual: "low" }],
    [
      "gives reasons that name its inputs",
      { score: ({ high }: Raw) => ({ score: 50, reasons: [{ field: "high", value: high + 1, text: "so" }] }) },
      { expected: 0, actual: 1 },
    ],
    ["gives reasons that name its inputs", { score: saying("it is so..") }, { expected: "it is so" }],
    [
      "gives reasons that name its inputs",
      { score: saying(" so in v1.2. ") },
      { expected: "so in v1.2", actual: " so in v1.2. " },
    ],
  ])("the error says what a check expected and found: %s", (name, changes, difference) => {
    const checks = checkScorecard(withMetric(changes), { bugs: goodCases });
    const check = checks.find((one) => one.name === `cost.bugs ${name}`);
    expect(() => check?.run()).toThrow(expect.objectContaining({ name: "CheckFailure", ...difference }));
  });

  test("the reasons that a case expected and found are distinguished", () => {
    const two = { raw: z.object({ high: z.int(), low: z.int() }), score: halving({ high: 5, low: 5 }) };
    const golden = { raw: { high: 5, low: 5 }, score: 25, reasons: ["low", "high"] };
    expect(failures(withMetric(two), { bugs: { golden } })["cost.bugs: golden"]).toBe(
      "expected reasons low, high, got high, low",
    );
  });

  test.each<[string, GoldenCase, object]>([
    ["a wrong score", { raw: { high: 5 }, score: 49.99 }, { expected: 49.99, actual: 50 }],
    [
      "wrong reasons",
      { raw: { high: 5 }, score: 50, reasons: ["high", "low"] },
      { expected: ["high", "low"], actual: ["high"] },
    ],
    ["a refusal elsewhere", { raw: { high: -1 }, refused: "raw.low" }, { expected: ["raw.low"], actual: ["raw.high"] }],
    ["a refused input that fits", { raw: { high: 5 }, refused: "raw.high" }, { expected: ["raw.high"], actual: [] }],
  ])("the error says what was expected and what was found: %s", (_, golden, difference) => {
    const check = checkScorecard(withMetric({}), { bugs: { golden } }).find(({ name }) => name === "cost.bugs: golden");
    expect(() => check?.run()).toThrow(expect.objectContaining({ name: "CheckFailure", ...difference }));
  });

  test("a text beside numbers is neither better nor worse", () => {
    for (const direction of ["lower", "higher"]) {
      const mixed = {
        raw: z.looseObject({ high: z.union([z.number(), z.literal("none")]) }),
        score: ({ high }: { readonly high: unknown }) => outcome(high === "none" ? 0 : 50),
        better: { high: direction },
      };
      const cases = { none: { raw: { high: "none" }, score: 0 }, some: { raw: { high: 5 }, score: 50 } };
      expect(failures(withMetric(mixed), { bugs: cases })).not.toHaveProperty([
        "cost.bugs never scores a better input lower",
      ]);
    }
  });

  test.each<Input & { readonly max: number }>([
    { max: 1e16 },
    { max: 2 ** 53, type: "integer" },
    { min: -1e16, max: 1e16 },
    { min: 2 ** 52 + 1, max: 2 ** 54, type: "integer" },
  ])("a bound has no other number beside it: %j", (range) => {
    const scorecard = withMetric({ raw: schemaOf({ high: range }), inputs: { high: range }, score: () => outcome(50) });
    expect(failures(scorecard, { bugs: { some: { raw: { high: range.max }, score: 50 } } })).toEqual({});
  });

  test("a metric has no cases", () => {
    const needs = "cost.bugs needs at least one case with a score";
    expect(failures(withMetric({}), {})).toEqual({
      "cost.bugs refuses junk": needs,
      "cost.bugs lets fields pass that it does not know": needs,
      "cost.bugs takes what its inputs declare": needs,
      "cost.bugs scores within 0–100": needs,
      "cost.bugs scores the same input the same": needs,
      "cost.bugs gives reasons that name its inputs": needs,
      "cost.bugs never scores a better input lower": needs,
    });
  });

  test("a metric has refused cases only", () => {
    const refused = { bugs: { "half a bug": { raw: { high: 0.5 }, refused: "raw.high" } } };
    expect(failures(withMetric({}), refused)["cost.bugs refuses junk"]).toContain("needs at least one case");
  });

  test("there are cases for a metric it does not have", () => {
    expect(failures(withMetric({}), { bugs: goodCases, bgus: goodCases })).toEqual({
      "cost keeps the contract": "there are cases for bgus, but no such metric",
    });
  });

  test.each<[string, unknown, string, string]>([
    [
      "a weight of 0",
      withMetric({ weight: 0 }),
      "cost",
      "cost.bugs: weight must be a number above 0, at most 1000000; got 0",
    ],
    ["no metrics", scorecardWith({ metrics: undefined }), "cost", "cost: has no metrics"],
    ["a metric null", scorecardWith({ metrics: [null] }), "cost", "cost.metrics[0]: is not an object"],
    ["null", null, "undefined", "(a scorecard without name): is not an object"],
  ])("the contract is broken by %s; nothing else is checked", (_, scorecard, name, message) => {
    expect(failures(scorecard as Scorecard, { bugs: goodCases })).toEqual({ [`${name} keeps the contract`]: message });
    expect(checkScorecard(scorecard as Scorecard, { bugs: goodCases })).toHaveLength(1);
  });
});
