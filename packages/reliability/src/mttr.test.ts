import { expect, test } from "vitest";
import { mttr } from "./mttr.ts";

test.each([
  { minutes: 12.5, text: "time to recover 12.5 min: 60 min or less scores 100" },
  { minutes: 240, text: "time to recover 240 min: between 60 min (100) and 1,440 min (80)" },
  { minutes: 10_080, text: "time to recover 10,080 min: scores 60" },
  { minutes: 300_000, text: "time to recover 300,000 min: 259,200 min or more scores 0" },
])("$text", ({ minutes, text }) => {
  expect(mttr.score({ minutes }).reasons).toEqual([{ field: "minutes", value: minutes, text }]);
});

test("the same factor costs the same anywhere between two knees", () => {
  const cost = (minutes: number) => mttr.score({ minutes }).score - mttr.score({ minutes: 2 * minutes }).score;
  expect(cost(600)).toBeCloseTo(cost(75), 10);
});
