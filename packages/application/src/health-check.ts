import type { Metric } from "@maturity/core";
import { type Enabled, enabledMetric } from "./enabled.ts";

export const healthCheck: Metric<Enabled, "health_check"> = enabledMetric({
  name: "health_check",
  title: "Health endpoint exposed",
  weight: 15,
  pass: "a health endpoint is exposed",
  fail: "no health endpoint is exposed",
});
