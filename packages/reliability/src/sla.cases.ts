import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

export const slaCases: MetricCases = {
  "never up": { raw: { availability_pct: 0 }, score: 0, reasons: ["availability_pct"] },
  "just below 95 %": { raw: { availability_pct: 94.9 }, score: 0 },
  "95 %": { raw: { availability_pct: 95 }, score: 0 },
  "just above 95 %": { raw: { availability_pct: 95.1 }, score: 1.25 },
  "97 %": { raw: { availability_pct: 97 }, score: 25 },
  "just below 99 %": { raw: { availability_pct: 98.9 }, score: 48.75 },
  "99 %": { raw: { availability_pct: 99 }, score: 50 },
  "just above 99 %": { raw: { availability_pct: 99.1 }, score: 55 },
  "99.25 %": { raw: { availability_pct: 99.25 }, score: 62.5 },
  "just below 99.5 %": { raw: { availability_pct: 99.4 }, score: 70 },
  "99.5 %": { raw: { availability_pct: 99.5 }, score: 75 },
  "just above 99.5 %": { raw: { availability_pct: 99.6 }, score: 81.25 },
  "a typical month, 99.7 %": { raw: { availability_pct: 99.7 }, score: 87.5 },
  "just below the objective": { raw: { availability_pct: 99.89 }, score: 99.38 },
  "the objective, 99.9 %": { raw: { availability_pct: 99.9 }, score: 100 },
  "above the objective": { raw: { availability_pct: 99.95 }, score: 100 },
  "always up": { raw: { availability_pct: 100 }, score: 100 },
  ...refused({ availability_pct: 99.9 }, "availability_pct", { ...notANumber, "above 100": 100.001 }),
};
