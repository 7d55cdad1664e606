import { expect, test } from "vitest";
import { mttd } from "./mttd.ts";

test.each([
  { minutes: 2, text: "time to detect 2 min: 5 min or less scores 100" },
  { minutes: 15, text: "time to detect 15 min: between 5 min (100) and 60 min (75)" },
  { minutes: 360, text: "time to detect 360 min: scores 50" },
  { minutes: 10_000, text: "time to detect 10,000 min: 4,320 min or more scores 0" },
])("$text", ({ minutes, text }) => {
  expect(mttd.score({ minutes }).reasons).toEqual([{ field: "minutes", value: minutes, text }]);
});

test("the same factor costs the same anywhere between two knees", () => {
  const cost = (minutes: number) => mttd.score({ minutes }).score - mttd.score({ minutes: 2 * minutes }).score;
  expect(cost(25)).toBeCloseTo(cost(6), 10);
});
