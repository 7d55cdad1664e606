import { expect, test } from "vitest";
import { unitCoverage } from "./unit-coverage.ts";

test.each([
  {
    coverage_pct: 0,
    text: "the coverage by unit tests is 0 %, which scores 0; the score rises evenly from 0 at 0 % to 50 at 50 %",
  },
  {
    coverage_pct: 50,
    text: "the coverage by unit tests is 50 %, which scores 50; the score rises evenly from 50 at 50 % to 100 at 80 %",
  },
  {
    coverage_pct: 72.4,
    text: "the coverage by unit tests is 72.4 %, which scores 87.33; the score rises evenly from 50 at 50 % to 100 at 80 %",
  },
  { coverage_pct: 91, text: "the coverage by unit tests is 91 %, which scores 100; 80 % or more is enough for that" },
])("$text", ({ coverage_pct, text }) => {
  expect(unitCoverage.score({ coverage_pct }).reasons).toMatchObject([
    { field: "coverage_pct", value: coverage_pct, text },
  ]);
});
