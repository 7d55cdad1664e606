import fc from "fast-check";
import { number, testProperties } from "../../../test-support/scorecard-properties.ts";
import { reliability } from "./index.ts";

testProperties(reliability, {
  sla: fc.record({ availability_pct: number(100, [95, 99, 99.5, 99.9]) }),
  change_failure_rate: fc.record({ rate_pct: number(100, [5, 10, 15, 64]) }),
  mttr: fc.record({ minutes: number(5_256_000, [60, 1_440, 10_080, 43_200, 259_200]) }),
  mttd: fc.record({ minutes: number(5_256_000, [5, 60, 360, 4_320]) }),
});
