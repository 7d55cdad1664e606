import { expect, test } from "vitest";
import { unitCoverage } from "./unit-coverage.ts";

test.each([
  { coverage_pct: 0, text: "coverage 0 %: scores 0" },
  { coverage_pct: 50, text: "coverage 50 %: scores 50" },
  { coverage_pct: 72.4, text: "coverage 72.4 %: between 50 % (50) and 80 % (100)" },
  { coverage_pct: 91, text: "coverage 91 %: 80 % or more scores 100" },
])("$text", ({ coverage_pct, text }) => {
  expect(unitCoverage.score({ coverage_pct }).reasons).toEqual([{ field: "coverage_pct", value: coverage_pct, text }]);
});
