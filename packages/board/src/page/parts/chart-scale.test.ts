import { expect, test } from "vitest";
import { dayAt, dayNumber, dayTicks, pathThrough, valueTicks } from "./chart-scale.ts";

test.each<[string, [number, number], number[]]>([
  ["what hardly changes stays flat", [62.1, 62.9], [55, 60, 65, 70]],
  ["a wide range has few names", [10, 90], [0, 25, 50, 75, 100]],
  ["nothing lies beyond 100", [99, 100], [90, 95, 100]],
  ["nothing lies below 0", [0, 0], [0, 5]],
])("of an axis: %s", (_, [least, greatest], ticks) => {
  expect(valueTicks(least, greatest)).toEqual(ticks);
});

test("the days of an axis begin with the first, end with the last, and are each once", () => {
  expect(dayTicks(10, 40, 4)).toEqual([10, 20, 30, 40]);
  expect(dayTicks(10, 12, 8)).toEqual([10, 11, 12]);
  expect(dayTicks(10, 10, 8)).toEqual([10]);
});

test("a day is the same after its number", () => {
  for (const day of ["2024-02-29", "2026-03-29", "1970-01-01"]) expect(dayAt(dayNumber(day))).toBe(day);
});

test("a line breaks at days without a value, also at those that are absent", () => {
  const values = [
    { day: "2026-01-01", value: 1 },
    { day: "2026-01-02", value: 2 },
    { day: "2026-01-03", value: null },
    { day: "2026-01-04", value: 4 },
    { day: "2026-01-07", value: 7 },
    { day: "2026-01-08", value: 8 },
  ];
  const first = dayNumber("2026-01-01");
  const draw = (apart?: number) =>
    pathThrough(
      values,
      (at) => at - first,
      (value) => value,
      apart,
    );
  expect(draw()).toBe("M0.0 1.0L1.0 2.0M3.0 4.0h.1M6.0 7.0L7.0 8.0");
  expect(draw(Number.POSITIVE_INFINITY)).toBe("M0.0 1.0L1.0 2.0L3.0 4.0L6.0 7.0L7.0 8.0");
});
