import { defineMetric, halving, type Metric } from "@maturity/core";
import { findings, type VulnerabilityCounts } from "./raw.ts";

/** The team's own code: it can mend every finding, so each costs more than in an image. */
export const sast: Metric<VulnerabilityCounts, "sast"> = defineMetric({
  name: "sast",
  title: "Vulnerabilities in the source",
  weight: 25,
  maxAgeHours: 7 * 24,
  inputs: { critical: findings, high: findings, medium: findings },
  score: halving({ critical: 1, high: 4, medium: 20 }),
});
