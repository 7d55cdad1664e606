import { type MetricCases, notAFlag, refused } from "@maturity/core/testing";

export const secretScanCases: MetricCases = {
  "nothing found": { raw: { found: false }, score: 100, reasons: ["found"] },
  "a secret found": { raw: { found: true }, score: 0, reasons: ["found"] },
  "nothing found, written 0": { raw: { found: 0 }, score: 100 },
  "a secret found, written 1": { raw: { found: 1 }, score: 0 },
  ...refused({ found: false }, "found", notAFlag),
};
