import { application } from "@maturity/application";
import { createEngine, type Engine, type Scorecard } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";

const metrics = new Set(
  `image_scan secret_scan sast dast
   change_failure_rate mttr mttd sla libs_secrets
   libs_observability unit_coverage unique_db_user health_check integration_coverage stress_test`.split(/\s+/),
);

/**
 * The shipped scorecards with these metrics alone, for tests of shares of the weight: a metric that a package adds changes
 * none.
 */
export const pinnedEngine: Engine = createEngine(
  [security, reliability, application].map(
    (scorecard: Scorecard): Scorecard => ({
      ...scorecard,
      metrics: scorecard.metrics.filter(({ name }) => metrics.has(name)),
    }),
  ),
);
