import { expect, test } from "vitest";
import { changeFailureRate } from "./change-failure-rate.ts";

test.each([
  { rate_pct: 3, text: "the share of failed deploys is 3 %, which scores 100; 5 % or less is enough for that" },
  {
    rate_pct: 8,
    text: "the share of failed deploys is 8 %, which scores 88; the score falls evenly from 100 at 5 % to 80 at 10 %",
  },
  {
    rate_pct: 15,
    text: "the share of failed deploys is 15 %, which scores 60; the score falls evenly from 80 at 10 % to 60 at 15 %",
  },
  {
    rate_pct: 70,
    text: "the share of failed deploys is 70 %, which scores 0; the score falls evenly from 60 at 15 % to 0 at 64 %",
  },
])("$text", ({ rate_pct, text }) => {
  expect(changeFailureRate.score({ rate_pct }).reasons).toMatchObject([{ field: "rate_pct", value: rate_pct, text }]);
});
