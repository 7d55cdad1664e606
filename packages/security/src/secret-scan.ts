import { defineMetric, type Metric, passFail } from "@maturity/core";

/** Binary: one hardcoded credential is as bad as many. */
export const secretScan: Metric<{ readonly found: boolean }, "secret_scan"> = defineMetric({
  name: "secret_scan",
  title: "Hardcoded credentials",
  weight: 25,
  maxAgeHours: 7 * 24,
  score: passFail("found", {
    passes: false,
    pass: "no hardcoded credential was found",
    fail: "at least one hardcoded credential was found",
  }),
});
