import { createEngine, type Direction } from "@maturity/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reliability } from "./index.ts";

type Input = Readonly<Record<string, number | boolean>>;

/** Any number from 0 to `max`, often a round one, often one near a knee. */
const number = (max: number, knees: readonly number[]) =>
  fc.oneof(
    fc.nat(max),
    fc.double({ min: 0, max, noNaN: true }),
    fc
      .tuple(fc.constantFrom(...knees), fc.double({ min: -1e-6, max: 1e-6, noNaN: true }))
      .map(([knee, shift]) => Math.min(max, knee * (1 + shift))),
  );

const inputs: Readonly<Record<string, fc.Arbitrary<Input>>> = {
  sla: fc.record({ availability_pct: number(100, [95, 99, 99.5, 99.9]) }),
  change_failure_rate: fc.record({ rate_pct: number(100, [5, 10, 15, 64]) }),
  mttr: fc.record({ minutes: number(5_256_000, [60, 1_440, 10_080, 43_200, 259_200]) }),
  mttd: fc.record({ minutes: number(5_256_000, [5, 60, 360, 4_320]) }),
};

test("there are inputs for every metric", () => {
  expect(reliability.metrics.map(({ name }) => name)).toEqual(Object.keys(inputs));
});

describe.each(Object.entries(inputs))("any input of %s", (name, input) => {
  const engine = createEngine([reliability]);
  const score = (raw: object) => engine.score("reliability", name, raw);
  const better = (reliability.metrics.find((metric) => metric.name === name)?.better ?? {}) as Readonly<
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
