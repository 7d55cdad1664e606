import { type MetricCases, notACount, refused } from "@maturity/core/testing";

const clean = { critical: 0, high: 0, medium: 0 };

export const imageScanCases: MetricCases = {
  "no findings": { raw: clean, score: 100, reasons: ["critical", "high", "medium"] },
  "one critical finding halves": { raw: { ...clean, critical: 1 }, score: 50, reasons: ["critical"] },
  "two critical findings": { raw: { ...clean, critical: 2 }, score: 25 },
  "one high finding": { raw: { ...clean, high: 1 }, score: 87.06, reasons: ["high"] },
  "three high findings": { raw: { ...clean, high: 3 }, score: 65.98 },
  "four high findings": { raw: { ...clean, high: 4 }, score: 57.43 },
  "five high findings halve": { raw: { ...clean, high: 5 }, score: 50 },
  "six high findings": { raw: { ...clean, high: 6 }, score: 43.53 },
  "one medium finding": { raw: { ...clean, medium: 1 }, score: 98.28, reasons: ["medium"] },
  "39 medium findings": { raw: { ...clean, medium: 39 }, score: 50.87 },
  "40 medium findings halve": { raw: { ...clean, medium: 40 }, score: 50 },
  "41 medium findings": { raw: { ...clean, medium: 41 }, score: 49.14 },
  "a typical image": { raw: { critical: 0, high: 3, medium: 12 }, score: 53.59, reasons: ["high", "medium"] },
  "a poor image": { raw: { critical: 1, high: 2, medium: 10 }, score: 31.86, reasons: ["critical", "high", "medium"] },
  "halved by every severity": { raw: { critical: 1, high: 5, medium: 40 }, score: 12.5 },
  "the last count that still shows": { raw: { ...clean, critical: 14 }, score: 0.01 },
  "one more rounds to 0": { raw: { ...clean, critical: 15 }, score: 0 },
  "a billion critical findings": { raw: { ...clean, critical: 1_000_000_000 }, score: 0 },
  "a billion high findings": { raw: { ...clean, high: 1_000_000_000 }, score: 0 },
  "a billion medium findings": { raw: { ...clean, medium: 1_000_000_000 }, score: 0 },
  ...refused(clean, "critical", notACount),
  ...refused(clean, "high", notACount),
  ...refused(clean, "medium", notACount),
};
