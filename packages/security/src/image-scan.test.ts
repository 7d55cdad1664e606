import { createEngine } from "@maturity/core";
import { expect, test } from "vitest";
import { imageScan } from "./image-scan.ts";
import { security } from "./index.ts";

test("the reasons say what each severity costs, the gravest first", () => {
  expect(imageScan.score({ critical: 1, high: 3, medium: 1200 }).reasons).toEqual([
    { field: "critical", value: 1, text: "1 critical finding: × 0.5; each one halves the score" },
    { field: "high", value: 3, text: "3 high findings: × 0.66; every 5 halve the score" },
    { field: "medium", value: 1200, text: "1,200 medium findings: × less than 0.001; every 40 halve the score" },
  ]);
});

test("a severity without findings costs nothing and is not mentioned", () => {
  expect(imageScan.score({ critical: 0, high: 1, medium: 0 }).reasons).toEqual([
    { field: "high", value: 1, text: "1 high finding: × 0.87; every 5 halve the score" },
  ]);
});

test("a clean image says so for every severity", () => {
  expect(imageScan.score({ critical: 0, high: 0, medium: 0 }).reasons).toEqual([
    { field: "critical", value: 0, text: "no critical findings" },
    { field: "high", value: 0, text: "no high findings" },
    { field: "medium", value: 0, text: "no medium findings" },
  ]);
});

test("all faults of one input are listed at once", () => {
  expect(() =>
    createEngine([security]).score("security", "image_scan", { critical: 1.5, high: -1, medium: "3" }),
  ).toThrow(
    expect.objectContaining({
      code: "invalid-raw",
      details: [
        { path: "raw.critical", message: "must be an integer" },
        { path: "raw.high", message: "must be greater than or equal to 0" },
        { path: "raw.medium", message: "must be a number" },
      ],
    }),
  );
});
