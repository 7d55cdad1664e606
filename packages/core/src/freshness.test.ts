import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freshness } from "./index.ts";

const at = new Date("2026-03-01T12:00:00.000Z");
const week = { maxAgeHours: 168 };

/** The time so many milliseconds before `at`. */
const before = (milliseconds: number) => new Date(at.getTime() - milliseconds);

describe("a metric that may be a week old", () => {
  test.each([
    [0, "fresh"],
    [168 * 3_600_000, "fresh"],
    [168 * 3_600_000 + 1, "late"],
    [336 * 3_600_000, "late"],
    [336 * 3_600_000 + 1, "stale"],
    [Number.MAX_SAFE_INTEGER / 2, "stale"],
  ])("after %i milliseconds is %s", (age, state) => {
    expect(freshness(week, before(age), at)).toBe(state);
    expect(freshness(week, before(age).toISOString(), at)).toBe(state);
  });

  test("is fresh where the clock that stored it is ahead", () => {
    expect(freshness(week, before(-86_400_000), at)).toBe("fresh");
  });
});

test("a metric without maximum age never ages", () => {
  expect(freshness({}, new Date(0), at)).toBe("fresh");
});

test("the states follow one another at the age and at its double, whatever the age", () => {
  const hours = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 3 * 100_000 * 3_600_000 }), (maxAgeHours, age) => {
      const allowed = maxAgeHours * 3_600_000;
      const expected = age > 2 * allowed ? "stale" : age > allowed ? "late" : "fresh";
      expect(freshness({ maxAgeHours }, before(age), at)).toBe(expected);
      for (const [border, states] of [
        [allowed, ["fresh", "late"]],
        [2 * allowed, ["late", "stale"]],
      ] as const) {
        expect([border, border + 1].map((one) => freshness({ maxAgeHours }, before(one), at))).toEqual(states);
      }
    }),
  );
});

test.each<[string, Date | string, Date]>([
  ["reported at no time", "yesterday", at],
  ["reported at an invalid Date", new Date(Number.NaN), at],
  ["read at no time", at, new Date(Number.NaN)],
])("what is %s has no age", (_, reportedAt, readAt) => {
  expect(() => freshness(week, reportedAt, readAt)).toThrow(RangeError);
});
