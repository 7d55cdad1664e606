import { defineMetric, type Metric, piecewise } from "@maturity/core";
import { type Coverage, percentage } from "./raw.ts";

/** Full marks at 80 %. */
export const unitCoverage: Metric<Coverage, "unit_coverage"> = defineMetric({
  name: "unit_coverage",
  title: "Unit test coverage",
  weight: 20,
  maxAgeHours: 30 * 24,
  inputs: { coverage_pct: { ...percentage, label: "the coverage by unit tests" } },
  score: piecewise([
    [0, 0],
    [50, 50],
    [80, 100],
  ]),
});
