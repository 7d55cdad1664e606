import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEngine, type Direction, type Scorecard } from "../packages/core/src/index.ts";

type Input = Readonly<Record<string, number | boolean>>;

/** For each metric of a scorecard any input that it accepts. */
export type Inputs = Readonly<Record<string, fc.Arbitrary<Input>>>;

/** Any number from 0 to `max`, often a round one, often one near a knee. */
export function number(max: number, knees: readonly number[]): fc.Arbitrary<number> {
  return fc.oneof(
    fc.nat(max),
    fc.double({ min: 0, max, noNaN: true }),
    fc
      .tuple(fc.constantFrom(...knees), fc.double({ min: -1e-6, max: 1e-6, noNaN: true }))
      .map(([knee, shift]) => Math.min(max, knee * (1 + shift))),
  );
}

/** Tests what holds for any input of any metric: bounds, determinism, direction, reasons, unknown fields. */
export function testProperties(scorecard: Scorecard, inputs: Inputs): void {
  test("there are inputs for every metric", () => {
    expect(scorecard.metrics.map(({ name }) => name)).toEqual(Object.keys(inputs));
  });

  describe.each(Object.entries(inputs))("any input of %s", (name, input) => {
    const engine = createEngine([scorecard]);
    const score = (raw: object) => engine.score(scorecard.name, name, raw);
    const better = (scorecard.metrics.find((metric) => metric.name === name)?.better ?? {}) as Readonly<
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

    test("lets fields it does not know pass, and ignores them", () => {
      fc.assert(
        fc.property(input, fc.dictionary(fc.string(), fc.jsonValue()), (raw, unknown) => {
          expect(score({ ...unknown, ...raw })).toEqual(score(raw));
        }),
      );
    });
  });
}
