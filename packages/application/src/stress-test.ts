import { defineMetric, fractionAsPercent, lowestOf, type Metric, piecewise } from "@maturity/core";
import { percentage, rawObject } from "@maturity/core/joi";
import Joi from "joi";

/** The summary of a load test. */
export interface StressTest {
  /** Failed requests as a fraction from 0 to 1. */
  readonly error_rate: number;
  /** 95th percentile of the response time in milliseconds. */
  readonly p95_ms: number;
  /** Share of passed checks in percent. */
  readonly checks_pct: number;
}

const fraction = "must be a fraction from 0 to 1, as k6 reports it: 0.02 is 2 %";

/**
 * Full marks at the thresholds of k6's documentation: `rate<0.01`, `p(95)<500`; checks of 90 % earn half. The lowest of
 * the three counts, so that fast failures earn nothing.
 */
export const stressTest: Metric<StressTest, "stress_test"> = defineMetric({
  name: "stress_test",
  title: "Error rate, p95 latency and check pass rate under load",
  weight: 10,
  maxAgeHours: 30 * 24,
  raw: rawObject<StressTest>({
    error_rate: Joi.number().min(0).max(1).required().messages({ "number.min": fraction, "number.max": fraction }),
    p95_ms: Joi.number().min(0).max(86_400_000).required(),
    checks_pct: percentage,
  }),
  score: lowestOf(
    piecewise(
      "error_rate",
      [
        [0.01, 100],
        [0.1, 0],
      ],
      { label: "the error rate", unit: fractionAsPercent },
    ),
    piecewise(
      "p95_ms",
      [
        [500, 100],
        [2_000, 0],
      ],
      { label: "the p95 latency", unit: "ms" },
    ),
    piecewise(
      "checks_pct",
      [
        [50, 0],
        [90, 50],
        [100, 100],
      ],
      { label: "the share of passed checks", unit: "%" },
    ),
  ),
  better: { error_rate: "lower", p95_ms: "lower", checks_pct: "higher" },
});
