import fc from "fast-check";
import { number, testProperties } from "../../../test-support/scorecard-properties.ts";
import { application } from "./index.ts";

const flag = fc.record({ enabled: fc.boolean() });

testProperties(application, {
  libs_secrets: flag,
  libs_observability: flag,
  unique_db_user: flag,
  health_check: flag,
  unit_coverage: fc.record({ coverage_pct: number(100, [50, 80]) }),
  integration_coverage: fc.record({ coverage_pct: number(100, [30, 60]) }),
  stress_test: fc.record({
    error_rate: number(1, [0.01, 0.1]),
    p95_ms: number(86_400_000, [500, 2_000]),
    checks_pct: number(100, [50, 90, 100]),
  }),
});
