import { expect, test } from "vitest";
import { valueText } from "./words.ts";

test.each([
  [59.97, 60, "59.9"],
  [60, 60, "60"],
  [60.04, 60, "60"],
  [62.84, 60, "62.8"],
  [41.26, 60, "41.3"],
  [79.45, 79.5, "79.4"],
  [99.97, 100, "99.9"],
  [3, 0, "3"],
  ["bronze", "silver", "bronze"],
])("%s of %s is written %s", (value, target, text) => {
  expect(valueText(value, target)).toBe(text);
});
