import { defineScorecard, type Scorecard } from "@maturity/core";
import packageJson from "../package.json" with { type: "json" };
import { healthCheck } from "./health-check.ts";
import { integrationCoverage } from "./integration-coverage.ts";
import { libsObservability } from "./libs-observability.ts";
import { libsSecrets } from "./libs-secrets.ts";
import { stressTest } from "./stress-test.ts";
import { uniqueDbUser } from "./unique-db-user.ts";
import { unitCoverage } from "./unit-coverage.ts";

export { healthCheck, integrationCoverage, libsObservability, libsSecrets, stressTest, uniqueDbUser, unitCoverage };

/** How well is it built? */
export const application: Scorecard<
  "application",
  | typeof libsSecrets
  | typeof libsObservability
  | typeof uniqueDbUser
  | typeof healthCheck
  | typeof unitCoverage
  | typeof integrationCoverage
  | typeof stressTest
> = defineScorecard({
  name: "application",
  title: "Engineering",
  dimension: "build",
  weight: 25,
  package: packageJson,
  metrics: [libsSecrets, libsObservability, uniqueDbUser, healthCheck, unitCoverage, integrationCoverage, stressTest],
});
