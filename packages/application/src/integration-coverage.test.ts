import { expect, test } from "vitest";
import { integrationCoverage } from "./integration-coverage.ts";
import { unitCoverage } from "./unit-coverage.ts";

test.each([
  {
    coverage_pct: 12,
    text: "the coverage by integration tests is 12 %, which scores 26; the score rises evenly from 0 at 0 % to 65 at 30 %",
  },
  {
    coverage_pct: 30,
    text: "the coverage by integration tests is 30 %, which scores 65; the score rises evenly from 65 at 30 % to 100 at 60 %",
  },
  {
    coverage_pct: 45,
    text: "the coverage by integration tests is 45 %, which scores 82.5; the score rises evenly from 65 at 30 % to 100 at 60 %",
  },
  {
    coverage_pct: 60,
    text: "the coverage by integration tests is 60 %, which scores 100; the score rises evenly from 65 at 30 % to 100 at 60 %",
  },
])("$text", ({ coverage_pct, text }) => {
  expect(integrationCoverage.score({ coverage_pct }).reasons).toMatchObject([
    { field: "coverage_pct", value: coverage_pct, text },
  ]);
});

test.each([1, 30, 59, 79])("%i %% earns more as integration than as unit coverage", (coverage_pct) => {
  expect(integrationCoverage.score({ coverage_pct }).score).toBeGreaterThan(unitCoverage.score({ coverage_pct }).score);
});
