import { type MetricCases, notAFlag, refused } from "@maturity/core/testing";

/** The same for all four flags. */
export const enabledCases: MetricCases = {
  enabled: { raw: { enabled: true }, score: 100, reasons: ["enabled"] },
  "not enabled": { raw: { enabled: false }, score: 0, reasons: ["enabled"] },
  "enabled, written 1": { raw: { enabled: 1 }, score: 100 },
  "not enabled, written 0": { raw: { enabled: 0 }, score: 0 },
  ...refused({ enabled: true }, "enabled", notAFlag),
};
