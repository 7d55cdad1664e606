import { defineMetric, halving, type Metric } from "@maturity/core";
import { findings } from "./raw.ts";

/** Findings against a running instance by severity. */
export interface DastCounts {
  readonly high: number;
  readonly medium: number;
}

/** Proven against a running system, so each finding costs more than one read from source. */
export const dast: Metric<DastCounts, "dast"> = defineMetric({
  name: "dast",
  title: "Vulnerabilities found against a running instance",
  weight: 25,
  maxAgeHours: 7 * 24,
  inputs: { high: findings, medium: findings },
  score: halving({ high: 1.5, medium: 8 }),
});
