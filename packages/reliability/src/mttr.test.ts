import { expect, test } from "vitest";
import { mttr } from "./mttr.ts";

test.each([
  {
    minutes: 12.5,
    text: "the time to recover is 12 minutes 30 seconds, which scores 100; 1 hour or less is enough for that",
  },
  {
    minutes: 240,
    text: "the time to recover is 4 hours, which scores 91.28; the score falls from 100 at 1 hour to 80 at 1 day, by 4.36 points with every doubling",
  },
  {
    minutes: 10_080,
    text: "the time to recover is 7 days, which scores 60; the score falls from 80 at 1 day to 60 at 7 days, by 7.12 points with every doubling",
  },
  {
    minutes: 300_000,
    text: "the time to recover is 208 days 8 hours, which scores 0; the score falls from 40 at 30 days to 0 at 180 days, by 15.5 points with every doubling",
  },
])("$text", ({ minutes, text }) => {
  expect(mttr.score({ minutes }).reasons).toMatchObject([{ field: "minutes", value: minutes, text }]);
});

test("the same factor costs the same anywhere between two knees", () => {
  const cost = (minutes: number) => mttr.score({ minutes }).score - mttr.score({ minutes: 2 * minutes }).score;
  expect(cost(600)).toBeCloseTo(cost(75), 10);
});
