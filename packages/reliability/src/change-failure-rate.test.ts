import { expect, test } from "vitest";
import { changeFailureRate } from "./change-failure-rate.ts";

test.each([
  { rate_pct: 3, text: "failed deploys 3 %: 5 % or less scores 100" },
  { rate_pct: 8, text: "failed deploys 8 %: between 5 % (100) and 10 % (80)" },
  { rate_pct: 15, text: "failed deploys 15 %: scores 60" },
  { rate_pct: 70, text: "failed deploys 70 %: 64 % or more scores 0" },
])("$text", ({ rate_pct, text }) => {
  expect(changeFailureRate.score({ rate_pct }).reasons).toEqual([{ field: "rate_pct", value: rate_pct, text }]);
});
