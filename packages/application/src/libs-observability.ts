import type { Metric } from "@maturity/core";
import { type Enabled, enabledMetric } from "./enabled.ts";

export const libsObservability: Metric<Enabled, "libs_observability"> = enabledMetric({
  name: "libs_observability",
  title: "Standard telemetry library in use",
  weight: 15,
  pass: "the standard telemetry library is in use",
  fail: "the standard telemetry library is not in use",
});
