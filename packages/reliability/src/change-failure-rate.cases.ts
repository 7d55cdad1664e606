import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

export const changeFailureRateCases: MetricCases = {
  "no deploy failed": { raw: { rate_pct: 0 }, score: 100, reasons: ["rate_pct"] },
  "just below 5 %": { raw: { rate_pct: 4.9 }, score: 100 },
  "elite, 5 %": { raw: { rate_pct: 5 }, score: 100 },
  "just above 5 %": { raw: { rate_pct: 5.1 }, score: 99.6 },
  "a typical rate, 8 %": { raw: { rate_pct: 8 }, score: 88 },
  "just below 10 %": { raw: { rate_pct: 9.9 }, score: 80.4 },
  "high, 10 %": { raw: { rate_pct: 10 }, score: 80 },
  "just above 10 %": { raw: { rate_pct: 10.1 }, score: 79.6 },
  "12 %": { raw: { rate_pct: 12 }, score: 72 },
  "just below 15 %": { raw: { rate_pct: 14.9 }, score: 60.4 },
  "medium, 15 %": { raw: { rate_pct: 15 }, score: 60 },
  "just above 15 %": { raw: { rate_pct: 15.1 }, score: 59.88 },
  "39.5 %": { raw: { rate_pct: 39.5 }, score: 30 },
  "just below 64 %": { raw: { rate_pct: 63.9 }, score: 0.12 },
  "low, 64 %": { raw: { rate_pct: 64 }, score: 0 },
  "just above 64 %": { raw: { rate_pct: 64.1 }, score: 0 },
  "every deploy failed": { raw: { rate_pct: 100 }, score: 0 },
  ...refused({ rate_pct: 5 }, "rate_pct", { ...notANumber, "above 100": 100.001 }),
};
