import { expect, test } from "vitest";
import { mttd } from "./mttd.ts";

test.each([
  { minutes: 2, text: "the time to detect is 2 minutes, which scores 100; 5 minutes or less is enough for that" },
  {
    minutes: 15,
    text: "the time to detect is 15 minutes, which scores 88.95; the score falls from 100 at 5 minutes to 75 at 1 hour, by 6.97 points with every doubling",
  },
  {
    minutes: 360,
    text: "the time to detect is 6 hours, which scores 50; the score falls from 75 at 1 hour to 50 at 6 hours, by 9.67 points with every doubling",
  },
  {
    minutes: 10_000,
    text: "the time to detect is 6 days 22 hours 40 minutes, which scores 0; the score falls from 50 at 6 hours to 0 at 3 days, by 13.9 points with every doubling",
  },
])("$text", ({ minutes, text }) => {
  expect(mttd.score({ minutes }).reasons).toMatchObject([{ field: "minutes", value: minutes, text }]);
});

test("the same factor costs the same anywhere between two knees", () => {
  const cost = (minutes: number) => mttd.score({ minutes }).score - mttd.score({ minutes: 2 * minutes }).score;
  expect(cost(25)).toBeCloseTo(cost(6), 10);
});
