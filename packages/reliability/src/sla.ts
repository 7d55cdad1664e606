import { defineMetric, type Metric, piecewise } from "@maturity/core";
import { percentage } from "./raw.ts";

/** Knees are the steps of an error budget around an objective of 99.9 %: 43 minutes of downtime in 30 days. */
export const sla: Metric<{ readonly availability_pct: number }, "sla"> = defineMetric({
  name: "sla",
  title: "Availability against the objective",
  weight: 20,
  maxAgeHours: 7 * 24,
  inputs: { availability_pct: { ...percentage, label: "the availability" } },
  score: piecewise([
    [95, 0],
    [99, 50],
    [99.5, 75],
    [99.9, 100],
  ]),
});
