import { runInNewContext } from "node:vm";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, test } from "vitest";
import { failure, raw, reasons, scoreBy, validating } from "../test/score-by.ts";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { type AnyMetric, createEngine, type Engine, halving, lowestOf } from "./index.ts";

describe("a score", () => {
  test("has value, reasons and scorer", () => {
    expect(scoreBy({ score: () => ({ score: 12.345, reasons }) })).toEqual({
      score: 12.35,
      reasons,
      scorer: "@acme/cost@1.2.3",
    });
  });

  test.each([
    [0, 0],
    [-0, 0],
    [Number.MIN_VALUE, 0],
    [0.004999, 0],
    [0.005, 0.01],
    [1.004, 1],
    [1.005, 1.01],
    [33.333333, 33.33],
    [62.504999, 62.5],
    [62.505, 62.51],
    [66.666667, 66.67],
    [99.994999, 99.99],
    [99.995, 100],
    [100, 100],
  ])("of %d is rounded half up to %d", (score, rounded) => {
    expect(scoreBy({ score: () => ({ score, reasons }) }).score).toBe(rounded);
  });

  test.each(Array.from({ length: 10 }, (_, tenths) => tenths * 10))("is rounded half up from %d on", (start) => {
    for (let cents = start * 100; cents < (start + 10) * 100; cents++) {
      const half = Number(`${cents}e-2`) + 0.005;
      expect(scoreBy({ score: () => ({ score: half, reasons }) }).score).toBe((cents + 1) / 100);
    }
  });

  test("is computed with the metric as `this`", () => {
    const score = function (this: AnyMetric) {
      return { score: this.weight, reasons };
    };
    expect(scoreBy({ weight: 7, score }).score).toBe(7);
  });
});

describe("what is not installed", () => {
  const engine = createEngine([
    scorecardWith({ metrics: [metricWith(), metricWith({ name: "waste" })] }),
    scorecardWith({ name: "speed" }),
  ]);
  const names = ["", "COST", "cost ", "__proto__", "constructor", "toString", "hasOwnProperty", 'a"b'];

  test.each(names)("scorecard %j", (name) => {
    const message = `there is no scorecard named ${JSON.stringify(name)}; installed: cost, speed`;
    expect(failure(() => engine.score(name, "spend", raw))).toMatchObject({
      code: "unknown-scorecard",
      message,
      details: [{ path: "scorecard", message }],
    });
  });

  test.each(names)("metric %j", (name) => {
    const message = `there is no metric of cost named ${JSON.stringify(name)}; installed: spend, waste`;
    expect(failure(() => engine.score("cost", name, raw))).toMatchObject({
      code: "unknown-metric",
      message,
      details: [{ path: "metric", message }],
    });
  });

  test("anything, in an engine without scorecards", () => {
    expect(failure(() => (createEngine([]) as Engine).score("cost", "spend", raw)).message).toBe(
      'there is no scorecard named "cost"; installed: none',
    );
  });
});

describe("raw that does not fit", () => {
  test.each([null, undefined, [], [raw], "text", 1, true, () => {}])("is no object: %j", (input) => {
    const error = failure(() => createEngine([scorecardWith()]).score("cost", "spend", input));
    expect(error).toMatchObject({
      code: "invalid-raw",
      message: "raw does not fit cost.spend: raw: must be an object",
      details: [{ path: "raw", message: "must be an object" }],
    });
  });

  test.each<[string, StandardSchemaV1.Issue["path"], string]>([
    ["without path", undefined, "raw"],
    ["an empty path", [], "raw"],
    ["a field", ["eur"], "raw.eur"],
    ["a nested field", ["bill", "eur"], "raw.bill.eur"],
    ["an index", ["bills", 2, "eur"], "raw.bills[2].eur"],
    ["segments as objects", [{ key: "bills" }, { key: 0 }, { key: "eur" }], "raw.bills[0].eur"],
    ["a symbol", [Symbol("eur")], "raw.Symbol(eur)"],
  ])("names the path: %s", (_, path, expected) => {
    const issue = path ? { message: "is wrong", path } : { message: "is wrong" };
    expect(failure(() => scoreBy({ raw: validating(() => ({ issues: [issue] })) })).details).toEqual([
      { path: expected, message: "is wrong" },
    ]);
  });

  test("lists all faults at once, in their order", () => {
    const issues = [
      { message: "is required", path: ["b"] },
      { message: "is too much", path: ["a"] },
    ];
    expect(failure(() => scoreBy({ raw: validating(() => ({ issues })) }))).toMatchObject({
      code: "invalid-raw",
      message: "raw does not fit cost.spend: raw.b: is required; raw.a: is too much",
      details: [
        { path: "raw.b", message: "is required" },
        { path: "raw.a", message: "is too much" },
      ],
    });
  });

  test("lists the first hundred faults of very many, each cut, and shows ten", () => {
    const issues = Array.from({ length: 100_000 }, (_, index) => ({
      message: `must not be ${"x".repeat(1_000)}`,
      path: [index, "\u{1f600}".repeat(1_000)],
    }));
    const { details, message } = failure(() => scoreBy({ raw: validating(() => ({ issues })) }));
    expect(details).toHaveLength(100);
    expect(details[99]).toMatchObject({ path: expect.stringMatching(/^raw\[99\]\.\u{1f600}+\ufffd?…$/u) });
    expect(message).toMatch(/raw\[9\].*; and 90 more$/);
    expect(message).not.toMatch(/raw\[10\]/);
    expect(JSON.stringify([message, ...details]).length).toBeLessThan(100_000);
  });

  test("is never handed to the function", () => {
    const score = () => expect.unreachable();
    expect(failure(() => scoreBy({ score, raw: validating(() => ({ issues: [] })) })).code).toBe("invalid-raw");
  });
});

describe("a function or validator that fails", () => {
  const who = "cost.spend of @acme/cost@1.2.3";
  const returning = (outcome: unknown) => ({ score: () => outcome });
  const scoring = (score: unknown) => returning({ score, reasons });
  const late = () => Promise.reject(new Error("late")) as never;
  const throwing = (thrown: unknown) => () => {
    throw thrown;
  };

  /** A good reason, and one that is not. */
  const malformed = (changes: object) =>
    returning({ score: 50, reasons: [...reasons, { field: "eur", value: 1, text: "it is so", ...changes }] });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a function throws", { score: throwing(new RangeError("too dear")) }, "threw while scoring"],
    ["a function throws a text", { score: throwing("too dear") }, "threw while scoring"],
    ["a function throws nothing", { score: throwing(undefined) }, "threw while scoring"],
    ["NaN", scoring(Number.NaN), "returned NaN, not a score from 0 to 100"],
    ["Infinity", scoring(Number.POSITIVE_INFINITY), "returned Infinity, not a score from 0 to 100"],
    ["just below 0", scoring(-0.01), "returned -0.01, not a score from 0 to 100"],
    ["just above 100", scoring(100.01), "returned 100.01, not a score from 0 to 100"],
    ["a text", scoring("50"), 'returned "50", not a score from 0 to 100'],
    ["a score that is missing", returning({ reasons }), "returned undefined, not a score from 0 to 100"],
    ["a score without a text", scoring(Object.create(null)), "threw while scoring"],
    ["nothing", returning(undefined), "returned no { score, reasons }"],
    ["null", returning(null), "returned no { score, reasons }"],
    ["a bare number", returning(50), "returned no { score, reasons }"],
    ["no reasons", returning({ score: 50 }), "returned no reasons"],
    ["empty reasons", returning({ score: 50, reasons: [] }), "returned no reasons"],
    ["reasons as text", returning({ score: 50, reasons: "because" }), "returned no reasons"],
    ["a reason as text", returning({ score: 50, reasons: ["because"] }), "returned a reason without field or text"],
    ["a reason null", returning({ score: 50, reasons: [null] }), "returned a reason without field or text"],
    ["a reason without field", malformed({ field: undefined }), "returned a reason without field or text"],
    ["a reason without text", malformed({ text: undefined }), "returned a reason without field or text"],
    ["a reason whose field is a number", malformed({ field: 1 }), "returned a reason without field or text"],
    ["a reason whose text is no text", malformed({ text: ["so"] }), "returned a reason without field or text"],
    [
      "a promise",
      returning(Promise.resolve({ score: 50, reasons })),
      "has an asynchronous function; it must be synchr",
    ],
    ["a validator throws", { raw: validating(throwing(new Error("no"))) }, "threw while validating raw"],
    ["a validator's issues are no list", { raw: validating(() => ({ issues: 1 })) }, "threw while validating raw"],
    ["an issue is null", { raw: validating(() => ({ issues: [null] })) }, "threw while validating raw"],
    ["a validator returns nothing", { raw: validating(() => undefined) }, "has a validator that returned no object"],
    [
      "a validator makes a text",
      { raw: validating(() => ({ value: "x" })) },
      "has a validator that returned no object",
    ],
    ["a validator makes an array", { raw: validating(() => ({ value: [] })) }, "has a validator that returned no obj"],
  ])("%s", (_, changes, problem) => {
    const error = failure(() => scoreBy(changes));
    expect(error.code).toBe("scorer-failed");
    expect(error.message).toContain(`${who} ${problem}`);
    expect(error.details).toEqual([]);
  });

  test("is named without the whole text that it returned", () => {
    expect(failure(() => scoreBy(scoring("x".repeat(1e6)))).message.length).toBeLessThan(1_000);
  });

  test("holds what was thrown as its cause", () => {
    const cause = new RangeError("too dear");
    expect(failure(() => scoreBy({ score: throwing(cause) })).cause).toBe(cause);
    expect(failure(() => scoreBy({ raw: validating(throwing(cause)) })).cause).toBe(cause);
    expect(failure(() => scoreBy({ score: throwing("text") })).cause).toBe("text");
    expect(failure(() => scoreBy(scoring(101)))).not.toHaveProperty("cause");
  });

  test("an outcome is read once, so that what is checked is what is taken", () => {
    const read: string[] = [];
    const once = <Value>(member: string, value: Value): Value => {
      if (read.includes(member)) throw new TypeError("it was read before");
      read.push(member);
      return value;
    };
    const outcome = {
      get score() {
        return once("score", 50);
      },
      get reasons() {
        return once("reasons", reasons);
      },
    };
    expect(scoreBy({ score: () => outcome })).toMatchObject({ score: 50, reasons });
    expect(read).toEqual(["score", "reasons"]);
    expect(failure(() => scoreBy({ score: () => outcome }))).toMatchObject({ code: "scorer-failed" });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["validator", { raw: validating(late) }, "has an asynchronous validator"],
    [
      "validator of another realm",
      { raw: validating(() => runInNewContext("Promise.reject(new Error('late'))")) },
      "has an asynchronous validator",
    ],
    ["function", { score: late }, "has an asynchronous function"],
    [
      "function, the first of which the lowest counts,",
      { score: lowestOf(late, halving({ eur: 4 })) },
      "has an asynchr",
    ],
    [
      "function, the last of which the lowest counts,",
      { score: lowestOf(halving({ eur: 4 }), late) },
      "has an asynchr",
    ],
    ["function beside another that throws", { score: lowestOf(late, throwing(new Error("no"))) }, "has an asynchr"],
    ["function beside others like it", { score: lowestOf(late, lowestOf(late, late)) }, "has an asynchronous function"],
    ["score", { score: () => ({ score: late(), reasons: late() }) }, "has an asynchronous function"],
  ])("an asynchronous %s is refused, and its rejection does not escape", async (_, changes, problem) => {
    const escaped: unknown[] = [];
    const listener = (reason: unknown) => escaped.push(reason);
    process.on("unhandledRejection", listener);
    try {
      expect(failure(() => scoreBy(changes)).message).toContain(`${who} ${problem}`);
      await new Promise(setImmediate);
      expect(escaped).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });
});

describe("the input", () => {
  const converting = validating((value) => ({ value: { eur: Number((value as { eur: unknown }).eur) } }));
  const seen = (value: object) => ({ score: 50, reasons: [{ field: "eur", value, text: "as the function saw it" }] });

  test("reaches the function as the validator made it, and is left as it was", () => {
    const input = Object.freeze({ eur: "1", tags: Object.freeze(["a"]) });
    expect(scoreBy({ raw: converting, score: seen }, input).reasons[0]?.value).toEqual({ eur: 1 });
    expect(input).toEqual({ eur: "1", tags: ["a"] });
  });

  test("may have a field named __proto__, which does no harm", () => {
    expect(scoreBy({}, JSON.parse('{ "eur": 1, "__proto__": { "polluted": true } }')).score).toBe(50);
    expect({}).not.toHaveProperty("polluted");
  });

  test("may have no prototype", () => {
    expect(scoreBy({}, Object.assign(Object.create(null), raw)).score).toBe(50);
  });
});

test("a frozen scorecard works, and the engine's list is its own", () => {
  const list = [Object.freeze(scorecardWith({ metrics: Object.freeze([Object.freeze(metricWith())]) }))];
  const engine = createEngine(list);
  list.pop();
  expect(engine.scorecards.map(({ name }) => name)).toEqual(["cost"]);
  expect(engine.score("cost", "spend", raw).score).toBe(50);
});
