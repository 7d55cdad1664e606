import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

export const unitCoverageCases: MetricCases = {
  "nothing covered": { raw: { coverage_pct: 0 }, score: 0, reasons: ["coverage_pct"] },
  "hardly anything covered": { raw: { coverage_pct: 0.1 }, score: 0.1 },
  "a half of a hundredth rounds up": { raw: { coverage_pct: 12.345 }, score: 12.35 },
  "25 %": { raw: { coverage_pct: 25 }, score: 25 },
  "just below 50 %": { raw: { coverage_pct: 49.9 }, score: 49.9 },
  "50 %": { raw: { coverage_pct: 50 }, score: 50 },
  "just above 50 %": { raw: { coverage_pct: 50.1 }, score: 50.17 },
  "65 %": { raw: { coverage_pct: 65 }, score: 75 },
  "a typical 72 %": { raw: { coverage_pct: 72 }, score: 86.67 },
  "just below 80 %": { raw: { coverage_pct: 79.9 }, score: 99.83 },
  "full marks at 80 %": { raw: { coverage_pct: 80 }, score: 100 },
  "just above 80 %": { raw: { coverage_pct: 80.1 }, score: 100 },
  "everything covered": { raw: { coverage_pct: 100 }, score: 100 },
  ...refused({ coverage_pct: 80 }, "coverage_pct", { ...notANumber, "above 100": 100.001 }),
};
