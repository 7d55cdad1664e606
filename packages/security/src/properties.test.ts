import { createEngine, type Direction } from "@maturity/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { security } from "./index.ts";

type Input = Readonly<Record<string, number | boolean>>;

/** Small numbers often, since large ones all score 0. */
const count = fc.oneof(fc.nat(10), fc.nat(200), fc.nat(1_000_000_000));

const inputs: Readonly<Record<string, fc.Arbitrary<Input>>> = {
  image_scan: fc.record({ critical: count, high: count, medium: count }),
  secret_scan: fc.record({ found: fc.boolean() }),
  sast: fc.record({ critical: count, high: count, medium: count }),
  dast: fc.record({ high: count, medium: count }),
};

test("there are inputs for every metric", () => {
  expect(security.metrics.map(({ name }) => name)).toEqual(Object.keys(inputs));
});

describe.each(Object.entries(inputs))("any input of %s", (name, input) => {
  const engine = createEngine([security]);
  const score = (raw: object) => engine.score("security", name, raw);
  const better = (security.metrics.find((metric) => metric.name === name)?.better ?? {}) as Readonly<
    Record<string, Direction>
  >;

  /** For each field the better of the two values. */
  function best(a: Input, b: Input): Input {
    const pick = (field: string, first: number | boolean, second: number | boolean) =>
      first < second === (better[field] === "lower") ? first : second;
    return Object.fromEntries(
      Object.entries(a).map(([field, value]) => [field, pick(field, value, b[field] ?? value)]),
    );
  }

  test("scores from 0 to 100, with two decimals", () => {
    fc.assert(
      fc.property(input, (raw) => {
        const { score: value } = score(raw);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(100);
        expect(value).toBe(Number(value.toFixed(2)));
      }),
    );
  });

  test("scores the same every time, and is left as it was", () => {
    fc.assert(
      fc.property(input, (raw) => {
        const before = { ...raw };
        expect(score(raw)).toEqual(score(structuredClone(raw)));
        expect(raw).toEqual(before);
      }),
    );
  });

  test("never scores lower when it gets better in any of its fields", () => {
    fc.assert(
      fc.property(input, input, (a, b) => {
        expect(Object.keys(better)).toEqual(Object.keys(a));
        expect(score(best(a, b)).score).toBeGreaterThanOrEqual(Math.max(score(a).score, score(b).score));
      }),
    );
  });

  test("gives reasons that name its fields with their values", () => {
    fc.assert(
      fc.property(input, (raw) => {
        const { reasons } = score(raw);
        expect(reasons.length).toBeGreaterThan(0);
        for (const { field, value, text } of reasons) {
          expect(raw).toHaveProperty(field, value);
          expect(text).toMatch(/^\S.*[^\s.]$/);
        }
      }),
    );
  });

  test("keeps fields it does not know, and ignores them", () => {
    fc.assert(
      fc.property(input, fc.dictionary(fc.string(), fc.jsonValue()), (raw, unknown) => {
        const extended = { ...unknown, ...raw };
        const { raw: kept, ...scored } = score(extended);
        expect(kept).toEqual(extended);
        expect({ ...scored, raw }).toEqual(score(raw));
      }),
    );
  });
});
