import fc from "fast-check";
import { testProperties } from "../../../test-support/scorecard-properties.ts";
import { security } from "./index.ts";

/** Small numbers often, since large ones all score 0. */
const count = fc.oneof(fc.nat(10), fc.nat(200), fc.nat(1_000_000_000));

testProperties(security, {
  image_scan: fc.record({ critical: count, high: count, medium: count }),
  secret_scan: fc.record({ found: fc.boolean() }),
  sast: fc.record({ critical: count, high: count, medium: count }),
  dast: fc.record({ high: count, medium: count }),
});
