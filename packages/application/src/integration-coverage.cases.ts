import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

export const integrationCoverageCases: MetricCases = {
  "nothing covered": { raw: { coverage_pct: 0 }, score: 0, reasons: ["coverage_pct"] },
  "hardly anything covered": { raw: { coverage_pct: 0.1 }, score: 0.22 },
  "15 %": { raw: { coverage_pct: 15 }, score: 32.5 },
  "just below 30 %": { raw: { coverage_pct: 29.9 }, score: 64.78 },
  "30 %": { raw: { coverage_pct: 30 }, score: 65 },
  "just above 30 %": { raw: { coverage_pct: 30.1 }, score: 65.12 },
  "a typical 42 %": { raw: { coverage_pct: 42 }, score: 79 },
  "45 %": { raw: { coverage_pct: 45 }, score: 82.5 },
  "just below 60 %": { raw: { coverage_pct: 59.9 }, score: 99.88 },
  "full marks at 60 %": { raw: { coverage_pct: 60 }, score: 100 },
  "just above 60 %": { raw: { coverage_pct: 60.1 }, score: 100 },
  "everything covered": { raw: { coverage_pct: 100 }, score: 100 },
  ...refused({ coverage_pct: 60 }, "coverage_pct", { ...notANumber, "above 100": 100.001 }),
};
