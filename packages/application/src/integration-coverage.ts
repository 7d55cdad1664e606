import { defineMetric, type Metric, piecewise } from "@maturity/core";
import { type Coverage, percentage } from "./raw.ts";

/** Full marks at 60 %; the first tests earn most, since they find the most. */
export const integrationCoverage: Metric<Coverage, "integration_coverage"> = defineMetric({
  name: "integration_coverage",
  title: "Integration test coverage",
  weight: 15,
  maxAgeHours: 30 * 24,
  inputs: { coverage_pct: { ...percentage, label: "the coverage by integration tests" } },
  score: piecewise([
    [0, 0],
    [30, 65],
    [60, 100],
  ]),
});
