import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

/** Full marks for each of the three. */
const good = { error_rate: 0, p95_ms: 200, checks_pct: 100 };

export const stressTestCases: MetricCases = {
  "full marks": { raw: good, score: 100, reasons: ["error_rate", "p95_ms", "checks_pct"] },
  "a typical run": {
    raw: { error_rate: 0.02, p95_ms: 800, checks_pct: 97 },
    score: 80,
    reasons: ["p95_ms", "checks_pct", "error_rate"],
  },
  "fast failures earn nothing": { raw: { error_rate: 0.5, p95_ms: 20, checks_pct: 100 }, score: 0 },
  "the worst of everything": { raw: { error_rate: 1, p95_ms: 86_400_000, checks_pct: 0 }, score: 0 },

  "errors just below 1 %": { raw: { ...good, error_rate: 0.009 }, score: 100 },
  "errors 1 %": { raw: { ...good, error_rate: 0.01 }, score: 100 },
  "errors just above 1 %": {
    raw: { ...good, error_rate: 0.011 },
    score: 98.89,
    reasons: ["error_rate", "p95_ms", "checks_pct"],
  },
  "errors 2 %": { raw: { ...good, error_rate: 0.02 }, score: 88.89 },
  "errors 5.5 %": { raw: { ...good, error_rate: 0.055 }, score: 50 },
  "errors just below 10 %": { raw: { ...good, error_rate: 0.099 }, score: 1.11 },
  "errors 10 %": { raw: { ...good, error_rate: 0.1 }, score: 0 },
  "errors just above 10 %": { raw: { ...good, error_rate: 0.101 }, score: 0 },
  "nothing but errors": { raw: { ...good, error_rate: 1 }, score: 0 },

  "p95 0 ms": { raw: { ...good, p95_ms: 0 }, score: 100 },
  "p95 just below 500 ms": { raw: { ...good, p95_ms: 499 }, score: 100 },
  "p95 500 ms": { raw: { ...good, p95_ms: 500 }, score: 100 },
  "p95 just above 500 ms": {
    raw: { ...good, p95_ms: 501 },
    score: 99.93,
    reasons: ["p95_ms", "error_rate", "checks_pct"],
  },
  "p95 750 ms": { raw: { ...good, p95_ms: 750 }, score: 83.33 },
  "p95 1,250 ms": { raw: { ...good, p95_ms: 1_250 }, score: 50 },
  "p95 just below 2 s": { raw: { ...good, p95_ms: 1_999 }, score: 0.07 },
  "p95 2 s": { raw: { ...good, p95_ms: 2_000 }, score: 0 },
  "p95 just above 2 s": { raw: { ...good, p95_ms: 2_001 }, score: 0 },
  "p95 a day": { raw: { ...good, p95_ms: 86_400_000 }, score: 0 },

  "no check passed": { raw: { ...good, checks_pct: 0 }, score: 0 },
  "checks just below 50 %": { raw: { ...good, checks_pct: 49 }, score: 0 },
  "checks 50 %": { raw: { ...good, checks_pct: 50 }, score: 0 },
  "checks just above 50 %": { raw: { ...good, checks_pct: 51 }, score: 1.25 },
  "checks 70 %": { raw: { ...good, checks_pct: 70 }, score: 25 },
  "checks just below 90 %": { raw: { ...good, checks_pct: 89 }, score: 48.75 },
  "checks 90 %": { raw: { ...good, checks_pct: 90 }, score: 50 },
  "checks just above 90 %": {
    raw: { ...good, checks_pct: 91 },
    score: 55,
    reasons: ["checks_pct", "error_rate", "p95_ms"],
  },
  "checks 95 %": { raw: { ...good, checks_pct: 95 }, score: 75 },
  "checks just below 100 %": { raw: { ...good, checks_pct: 99.9 }, score: 99.5 },

  ...refused(good, "error_rate", { ...notANumber, "in percent": 2, "just above 1": 1.001 }),
  ...refused(good, "p95_ms", { ...notANumber, "above a day": 86_400_001 }),
  ...refused(good, "checks_pct", { ...notANumber, "above 100": 100.001 }),
};
