import { checkScorecard } from "@maturity/core/testing";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { enabledCases } from "./enabled.cases.ts";
import { application } from "./index.ts";
import { integrationCoverageCases } from "./integration-coverage.cases.ts";
import { stressTestCases } from "./stress-test.cases.ts";
import { unitCoverageCases } from "./unit-coverage.cases.ts";

for (const { name, run } of checkScorecard(application, {
  libs_secrets: enabledCases,
  libs_observability: enabledCases,
  unique_db_user: enabledCases,
  health_check: enabledCases,
  unit_coverage: unitCoverageCases,
  integration_coverage: integrationCoverageCases,
  stress_test: stressTestCases,
})) {
  test(name, run);
}

test("name, dimension and weight are as specified", () => {
  expect(application).toMatchObject({ contract: 1, name: "application", dimension: "build", weight: 25 });
});

test("metrics, their weights, the hours for which they are fresh and what is better are as specified, in this order", () => {
  expect(
    application.metrics.map(({ name, weight, maxAgeHours, inputs = {} }) => [
      ...[name, weight, maxAgeHours],
      Object.fromEntries(Object.entries(inputs).map(([field, { better }]) => [field, better])),
    ]),
  ).toEqual([
    ["libs_secrets", 15, 2_160, { enabled: "higher" }],
    ["libs_observability", 15, 2_160, { enabled: "higher" }],
    ["unique_db_user", 10, 2_160, { enabled: "higher" }],
    ["health_check", 15, 2_160, { enabled: "higher" }],
    ["unit_coverage", 20, 720, { coverage_pct: "higher" }],
    ["integration_coverage", 15, 720, { coverage_pct: "higher" }],
    ["stress_test", 10, 720, { error_rate: "lower", p95_ms: "lower", checks_pct: "higher" }],
  ]);
});

test("the scorer is the published package", () => {
  expect(application.package).toEqual({ name: packageJson.name, version: packageJson.version });
});
