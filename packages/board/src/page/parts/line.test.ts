import { expect, test } from "vitest";
import { pathOf } from "./line.tsx";

test.each([
  { name: "a rise", days: [50, 60], path: "M0.0 20.0L88.0 2.0" },
  { name: "a day without a score breaks it", days: [50, null, 50, 50], path: "M0.0 11.0h.1M58.7 11.0L88.0 11.0" },
  { name: "a small change looks small", days: [50, 51], path: "M0.0 11.9L88.0 10.1" },
  { name: "one day is a dot", days: [50], path: "M44.0 11.0h.1" },
])("$name", ({ days, path }) => {
  expect(pathOf(days, 88, 22)).toBe(path);
});
