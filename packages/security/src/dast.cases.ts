import { type MetricCases, notACount, refused } from "@maturity/core/testing";

const clean = { high: 0, medium: 0 };

export const dastCases: MetricCases = {
  "no findings": { raw: clean, score: 100, reasons: ["high", "medium"] },
  "one high finding": { raw: { ...clean, high: 1 }, score: 63, reasons: ["high"] },
  "two high findings": { raw: { ...clean, high: 2 }, score: 39.69 },
  "three high findings halve twice": { raw: { ...clean, high: 3 }, score: 25 },
  "four high findings": { raw: { ...clean, high: 4 }, score: 15.75 },
  "one medium finding": { raw: { ...clean, medium: 1 }, score: 91.7, reasons: ["medium"] },
  "seven medium findings": { raw: { ...clean, medium: 7 }, score: 54.53 },
  "eight medium findings halve": { raw: { ...clean, medium: 8 }, score: 50 },
  "nine medium findings": { raw: { ...clean, medium: 9 }, score: 45.85 },
  "a typical instance": { raw: { high: 1, medium: 4 }, score: 44.54, reasons: ["high", "medium"] },
  "a poor instance": { raw: { high: 2, medium: 5 }, score: 25.73 },
  "halved by either severity": { raw: { high: 3, medium: 8 }, score: 12.5 },
  "the last count that still shows": { raw: { ...clean, high: 21 }, score: 0.01 },
  "one more rounds to 0": { raw: { ...clean, high: 22 }, score: 0 },
  "a billion high findings": { raw: { ...clean, high: 1_000_000_000 }, score: 0 },
  "a billion medium findings": { raw: { ...clean, medium: 1_000_000_000 }, score: 0 },
  ...refused(clean, "high", notACount),
  ...refused(clean, "medium", notACount),
};
