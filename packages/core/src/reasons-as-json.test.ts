import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure, raw, reasons, scoreBy } from "../test/score-by.ts";
import { scorecardWith } from "../test/scorecards.ts";
import { createEngine, defineMetric, type Engine, halving, type Reason } from "./index.ts";

describe("reasons", () => {
  const holding = (value: unknown) => () => ({ score: 50, reasons: [{ field: "eur", value, text: "it is so" }] });

  test("that the engine takes are what JSON makes of them, and bounded", () => {
    const values = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      },
      fc.jsonValue({ stringUnit: "binary" }),
      fc.string({ unit: "grapheme", minLength: 40_000, maxLength: 300_000 }),
    );
    fc.assert(
      fc.property(values, (value) => {
        let given: readonly Reason[];
        try {
          given = scoreBy({ score: holding(value) }).reasons;
        } catch (error) {
          expect(error).toMatchObject({ code: "scorer-failed" });
          return;
        }
        const text = JSON.stringify(given);
        expect(text.length).toBeLessThan(6 * 262_144 + 100);
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("may hold any storable JSON", () => {
    const value = fc.jsonValue({ stringUnit: "grapheme" });
    fc.assert(
      fc.property(value, (value) => {
        fc.pre(!JSON.stringify(value).includes("\\u0000"));
        expect(scoreBy({ score: holding(value) }).reasons[0]?.value).toEqual(value);
      }),
    );
  });

  test.each([
    ["a date", new Date(0)],
    ["no value", undefined],
    ["a value of another realm", runInNewContext("({ a: [1] })")],
    ["a value without prototype", Object.assign(Object.create(null), raw)],
    ["a field as deep as a result may nest", Array.from({ length: 31 }).reduce<unknown>((inner) => [inner], 1)],
  ])("may hold %s", (_, value) => {
    const asJson = JSON.parse(JSON.stringify({ value })).value;
    expect(scoreBy({ score: holding(value) }).reasons[0]?.value).toStrictEqual(asJson);
  });

  test("are what JSON makes of them, read once and cut off from what the scorer keeps", () => {
    let reads = 0;
    const own = {
      field: "eur",
      values: { from: new Date(0) },
      get text() {
        reads++;
        return `read ${reads} times`;
      },
    };
    const [given] = scoreBy({ score: () => ({ score: 50, reasons: [own] }) }).reasons;
    own.values.from = new Date(1);
    expect(given).toStrictEqual({
      ...{ field: "eur", text: "read 1 times" },
      values: JSON.parse('{ "from": "1970-01-01T00:00:00.000Z" }'),
    });
  });

  test.each([
    ["a text", "hah"],
    ["nothing of a list", []],
  ])("may not be a list whose own form is %s", (_, form) => {
    const all = Object.assign([...reasons], { toJSON: () => form });
    expect(failure(() => scoreBy({ score: () => ({ score: 50, reasons: all }) })).message).toContain(
      "returned no reasons",
    );
  });

  test("of a hundred inputs with the longest words of a scorecard file are taken", () => {
    const fields = Array.from({ length: 100 }, (_, index) => `${"f".repeat(60)}_${index}`);
    const word = "\u{1f600}".repeat(200);
    const inputs = Object.fromEntries(fields.map((field) => [field, { label: word, unit: [word, word] as const }]));
    const metric = defineMetric({
      ...{ name: "spend", title: "Cloud spend", weight: 1, inputs },
      score: halving(Object.fromEntries(fields.map((field) => [field, 3]))),
    });
    const input = Object.fromEntries(fields.map((field) => [field, 1]));
    const engine: Engine = createEngine([scorecardWith({ metrics: [metric] })]);
    expect(engine.score("cost", "spend", input).reasons).toHaveLength(100);
  });

  const circular: Record<string, unknown> = {};
  circular.itself = circular;

  const holdingToo = (changes: object) => [...reasons, { field: "eur", value: 1, text: "it is so", ...changes }];

  test.each<[string, readonly unknown[], string]>([
    ["a BigInt", holdingToo({ value: 12n }), "a bigint; they must be JSON, within the bounds of the type Reason"],
    ["a function", holdingToo({ value: [() => 1] }), "a function"],
    ["NaN in a reason", holdingToo({ values: { from: Number.NaN } }), "NaN"],
    ["a list with a hole", holdingToo({ value: new Array(1e9) }), "an undefined item"],
    ["an object of a class", holdingToo({ value: new Map([[1, 2]]) }), "an object of a class"],
    ["a boxed BigInt", holdingToo({ value: Object(1n) }), "an object of a class"],
    ["reasons that hold themselves", holdingToo({ values: circular }), "more than 64 levels"],
    ["an own form that is none", holdingToo({ value: { toJSON: () => 1n } }), "a bigint"],
    ["NUL in a text", holdingToo({ text: "so\0" }), "a text with NUL or a lone surrogate"],
    ["a lone surrogate", holdingToo({ text: "so\ud800" }), "a text with NUL or a lone surrogate"],
    ["a very long text", holdingToo({ text: "so".repeat(1e6) }), "more than 262144 characters"],
    ["very long keys", holdingToo({ value: { ["k".repeat(262_144)]: 1 } }), "more than 262144"],
    ["very many reasons", Array.from({ length: 100_000 }, () => reasons[0]), "more than 262144 characters"],
  ])("may not hold %s", (_, all, problem) => {
    const error = failure(() => scoreBy({ score: () => ({ score: 50, reasons: all }) }));
    expect(error.code).toBe("scorer-failed");
    expect(error.message).toContain(`cost.spend of @acme/cost@1.2.3 returned reasons that hold ${problem}`);
  });
});
