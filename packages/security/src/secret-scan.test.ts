import { createEngine } from "@maturity/core";
import { expect, test } from "vitest";
import { security } from "./index.ts";
import { secretScan } from "./secret-scan.ts";

const score = (raw: unknown) => createEngine([security]).score("security", "secret_scan", raw);

test("the reason says what was found", () => {
  expect(secretScan.score({ found: true }).reasons).toEqual([
    { field: "found", value: true, text: "a hardcoded credential was found; one is enough" },
  ]);
  expect(secretScan.score({ found: false }).reasons).toEqual([
    { field: "found", value: false, text: "no hardcoded credential found" },
  ]);
});

test.each([
  { found: 0, stored: false },
  { found: 1, stored: true },
])("$found is stored as $stored", ({ found, stored }) => {
  const { raw, reasons } = score({ found, scanner: "gitleaks" });
  expect(raw).toStrictEqual({ found: stored, scanner: "gitleaks" });
  expect(reasons[0]?.value).toBe(stored);
});

test("a refusal says what a flag is", () => {
  expect(() => score({ found: "true" })).toThrow(
    "raw does not fit security.secret_scan: raw.found: must be true or false",
  );
  expect(() => score({})).toThrow("raw does not fit security.secret_scan: raw.found: is required");
});
