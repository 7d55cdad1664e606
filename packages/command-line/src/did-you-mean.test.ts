import { expect, test } from "vitest";
import { didYouMean, insteadOf } from "./did-you-mean.ts";

const names = ["image_scan", "sast", "dast", "unit_coverage"];

test.each([
  ["image_scam", "image_scan"],
  ["imagescan", "image_scan"],
  ["Image_Scan", "image_scan"],
  ["sats", undefined],
  ["sas", "sast"],
  ["unit_coverag", "unit_coverage"],
  ["budget", undefined],
  ["", undefined],
  ["x".repeat(1_000_000), undefined],
])("%.20s: %s", (text, meant) => {
  expect(didYouMean(text, names)).toBe(meant === undefined ? "" : `; did you mean ${meant}?`);
});

test("the nearest stands before all of them", () => {
  expect(insteadOf("sas", names)).toBe("; did you mean sast? There are image_scan, sast, dast, unit_coverage");
  expect(insteadOf("budget", names)).toBe("; there are image_scan, sast, dast, unit_coverage");
});
