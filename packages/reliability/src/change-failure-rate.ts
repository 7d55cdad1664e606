import { defineMetric, type Metric, piecewise } from "@maturity/core";
import { percentage } from "./raw.ts";

/** Knees are the cluster values of the DORA report 2023: elite 5 %, high 10 %, medium 15 %, low 64 %. */
export const changeFailureRate: Metric<{ readonly rate_pct: number }, "change_failure_rate"> = defineMetric({
  name: "change_failure_rate",
  title: "Share of deploys causing a failure",
  weight: 30,
  maxAgeHours: 7 * 24,
  inputs: { rate_pct: { ...percentage, label: "the share of failed deploys" } },
  score: piecewise([
    [5, 100],
    [10, 80],
    [15, 60],
    [64, 0],
  ]),
});
