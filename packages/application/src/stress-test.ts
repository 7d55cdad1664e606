import { defineMetric, fractionAsPercent, lowestOf, type Metric, piecewise } from "@maturity/core";
import { percentage } from "./raw.ts";

/** The summary of a load test. */
export interface StressTest {
  /** Failed requests as a fraction from 0 to 1. */
  readonly error_rate: number;
  /** 95th percentile of the response time in milliseconds. */
  readonly p95_ms: number;
  /** Share of passed checks in percent. */
  readonly checks_pct: number;
}

/**
 * Full marks at the thresholds of k6's documentation: `rate<0.01`, `p(95)<500`; checks of 90 % earn half. The lowest of
 * the three counts, so that fast failures earn nothing.
 */
export const stressTest: Metric<StressTest, "stress_test"> = defineMetric({
  name: "stress_test",
  title: "Error rate, p95 latency and check pass rate under load",
  weight: 10,
  maxAgeHours: 30 * 24,
  inputs: {
    error_rate: {
      label: "the error rate",
      unit: fractionAsPercent,
      min: 0,
      max: 1,
      outOfRange: "must be a fraction from 0 to 1, as k6 reports it: 0.02 is 2 %",
    },
    p95_ms: { label: "the p95 latency", unit: "ms", min: 0, max: 86_400_000 },
    checks_pct: { ...percentage, label: "the share of passed checks" },
  },
  score: lowestOf(
    piecewise("error_rate", [
      [0.01, 100],
      [0.1, 0],
    ]),
    piecewise("p95_ms", [
      [500, 100],
      [2_000, 0],
    ]),
    piecewise("checks_pct", [
      [50, 0],
      [90, 50],
      [100, 100],
    ]),
  ),
});
