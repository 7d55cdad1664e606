import { expect, test } from "vitest";
import { matcher, parseClaim } from "./claims.ts";

test.each<[string, string, boolean]>([
  ["lcov.info", "reports/unit/lcov.info", true],
  ["*.info", "reports/unit/lcov.info", true],
  ["{gitleaks,trufflehog}.json", "d/gitleaks.json", true],
  ["reports/*.info", "reports/unit/lcov.info", false],
  ["reports/**/*.info", "reports/unit/lcov.info", true],
  ["**/unit/*", "reports/unit/lcov.info", true],
  ["./reports/a.json", "reports/a.json", true],
  ["/tmp/reports/*", "/tmp/reports/a.json", true],
  ["a[1].json", "d/a[1].json", true],
  ["*", "d/.resultset.json", true],
  ["LCOV.info", "lcov.info", false],
  ["info", "lcov.info", false],
])("%s means %s: %s", (pattern, file, expected) => {
  expect(matcher(pattern)(file)).toBe(expected);
});

test("the last equals sign parts pattern and value", () => {
  expect(parseClaim("--metric", "a=b.json=sast")).toMatchObject({ value: "sast", text: "--metric a=b.json=sast" });
  expect(parseClaim("--metric", "a=b.json=sast")?.matches("d/a=b.json")).toBe(true);
  expect(parseClaim("--metric", "sast")).toBeUndefined();
});
