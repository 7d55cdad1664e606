import { expect, test } from "vitest";
import { integrationCoverage } from "./integration-coverage.ts";
import { unitCoverage } from "./unit-coverage.ts";

test.each([
  { coverage_pct: 12, text: "coverage 12 %: between 0 % (0) and 30 % (65)" },
  { coverage_pct: 30, text: "coverage 30 %: scores 65" },
  { coverage_pct: 45, text: "coverage 45 %: between 30 % (65) and 60 % (100)" },
  { coverage_pct: 60, text: "coverage 60 %: scores 100" },
])("$text", ({ coverage_pct, text }) => {
  expect(integrationCoverage.score({ coverage_pct }).reasons).toEqual([
    { field: "coverage_pct", value: coverage_pct, text },
  ]);
});

test.each([1, 30, 59, 79])("%i %% earns more as integration than as unit coverage", (coverage_pct) => {
  expect(integrationCoverage.score({ coverage_pct }).score).toBeGreaterThan(unitCoverage.score({ coverage_pct }).score);
});
