import { createEngine, type Engine } from "@maturity/core";
import { expect, test } from "vitest";
import { imageScan } from "./image-scan.ts";
import { security } from "./index.ts";

test("the reasons say what each severity costs, the gravest first", () => {
  expect(imageScan.score({ critical: 1, high: 3, medium: 1200 }).reasons).toMatchObject([
    { field: "critical", value: 1, text: "1 critical finding leaves 50 % of the score; each one halves it" },
    { field: "high", value: 3, text: "3 high findings leave 66 % of the remaining score; every 5 of them halve it" },
    {
      field: "medium",
      value: 1200,
      text: "1,200 medium findings leave less than 0.1 % of the remaining score; every 40 of them halve it",
    },
  ]);
});

test("a severity without findings costs nothing and is not mentioned", () => {
  expect(imageScan.score({ critical: 0, high: 1, medium: 0 }).reasons).toMatchObject([
    { field: "high", value: 1, text: "1 high finding leaves 87 % of the score; every 5 of them halve it" },
  ]);
});

test("a clean image says so for every severity", () => {
  expect(imageScan.score({ critical: 0, high: 0, medium: 0 }).reasons).toMatchObject([
    { field: "critical", value: 0, text: "0 critical findings leave the score at 100; each one would halve it" },
    { field: "high", value: 0, text: "0 high findings leave the score at 100; every 5 of them would halve it" },
    { field: "medium", value: 0, text: "0 medium findings leave the score at 100; every 40 of them would halve it" },
  ]);
});

test("all faults of one input are listed at once", () => {
  const engine: Engine = createEngine([security]);
  expect(() => engine.score("security", "image_scan", { critical: 1.5, high: -1, medium: "3" })).toThrow(
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
