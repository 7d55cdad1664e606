import type { Metric } from "@maturity/core";
import { type Enabled, enabledMetric } from "./enabled.ts";

export const uniqueDbUser: Metric<Enabled, "unique_db_user"> = enabledMetric({
  name: "unique_db_user",
  title: "Dedicated database user",
  weight: 10,
  pass: "the application has a database user of its own",
  fail: "the application shares its database user",
});
