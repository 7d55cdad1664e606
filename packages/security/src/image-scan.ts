import { defineMetric, halving, type Metric } from "@maturity/core";
import { findings, type VulnerabilityCounts } from "./raw.ts";

/** Severities are spread wider than Dependency-Track's 10 / 5 / 3 / 1, since most images carry many medium findings. */
export const imageScan: Metric<VulnerabilityCounts, "image_scan"> = defineMetric({
  name: "image_scan",
  title: "Vulnerabilities in the container image",
  weight: 25,
  maxAgeHours: 7 * 24,
  inputs: { critical: findings, high: findings, medium: findings },
  score: halving({ critical: 1, high: 5, medium: 40 }),
});
