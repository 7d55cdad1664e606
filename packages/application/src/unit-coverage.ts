import { defineMetric, type Metric, piecewise } from "@maturity/core";
import { type Coverage, coverage } from "./raw.ts";

/** Full marks at 80 %. */
export const unitCoverage: Metric<Coverage, "unit_coverage"> = defineMetric({
  name: "unit_coverage",
  title: "Unit test coverage",
  weight: 20,
  maxAgeHours: 30 * 24,
  raw: coverage,
  score: piecewise(
    "coverage_pct",
    [
      [0, 0],
      [50, 50],
      [80, 100],
    ],
    { label: "the coverage by unit tests", unit: "%" },
  ),
  better: { coverage_pct: "higher" },
});
