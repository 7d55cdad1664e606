import { type MetricCases, notACount, refused } from "@maturity/core/testing";

const clean = { critical: 0, high: 0, medium: 0 };

export const sastCases: MetricCases = {
  "no findings": { raw: clean, score: 100, reasons: ["critical", "high", "medium"] },
  "one critical finding halves": { raw: { ...clean, critical: 1 }, score: 50, reasons: ["critical"] },
  "two critical findings": { raw: { ...clean, critical: 2 }, score: 25 },
  "one high finding": { raw: { ...clean, high: 1 }, score: 84.09, reasons: ["high"] },
  "three high findings": { raw: { ...clean, high: 3 }, score: 59.46 },
  "four high findings halve": { raw: { ...clean, high: 4 }, score: 50 },
  "five high findings": { raw: { ...clean, high: 5 }, score: 42.04 },
  "one medium finding": { raw: { ...clean, medium: 1 }, score: 96.59, reasons: ["medium"] },
  "19 medium findings": { raw: { ...clean, medium: 19 }, score: 51.76 },
  "20 medium findings halve": { raw: { ...clean, medium: 20 }, score: 50 },
  "21 medium findings": { raw: { ...clean, medium: 21 }, score: 48.3 },
  "typical source": { raw: { critical: 0, high: 3, medium: 12 }, score: 39.23, reasons: ["high", "medium"] },
  "poor source": { raw: { critical: 1, high: 2, medium: 10 }, score: 25, reasons: ["critical", "high", "medium"] },
  "halved by every severity": { raw: { critical: 1, high: 4, medium: 20 }, score: 12.5 },
  "the last count that still shows": { raw: { ...clean, critical: 14 }, score: 0.01 },
  "one more rounds to 0": { raw: { ...clean, critical: 15 }, score: 0 },
  "a billion critical findings": { raw: { ...clean, critical: 1_000_000_000 }, score: 0 },
  "a billion high findings": { raw: { ...clean, high: 1_000_000_000 }, score: 0 },
  "a billion medium findings": { raw: { ...clean, medium: 1_000_000_000 }, score: 0 },
  ...refused(clean, "critical", notACount),
  ...refused(clean, "high", notACount),
  ...refused(clean, "medium", notACount),
};
