import type { Metric } from "@maturity/core";
import { type Enabled, enabledMetric } from "./enabled.ts";

export const libsSecrets: Metric<Enabled, "libs_secrets"> = enabledMetric({
  name: "libs_secrets",
  title: "Standard secrets library in use",
  weight: 15,
  pass: "the standard secrets library is in use",
  fail: "the standard secrets library is not in use",
});
