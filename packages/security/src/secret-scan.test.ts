import { createEngine, type Engine } from "@maturity/core";
import { expect, test } from "vitest";
import { security } from "./index.ts";
import { secretScan } from "./secret-scan.ts";

const score = (raw: unknown) => (createEngine([security]) as Engine).score("security", "secret_scan", raw);

test("the reason says what was found", () => {
  expect(secretScan.score({ found: true }).reasons).toMatchObject([
    {
      field: "found",
      value: true,
      text: "at least one hardcoded credential was found, which scores 0; the score is 100 when no hardcoded credential was found",
    },
  ]);
  expect(secretScan.score({ found: false }).reasons).toMatchObject([
    {
      field: "found",
      value: false,
      text: "no hardcoded credential was found, which scores 100; the score is 0 when at least one hardcoded credential was found",
    },
  ]);
});

test.each([
  { found: 0, meant: false },
  { found: 1, meant: true },
])("$found means $meant", ({ found, meant }) => {
  expect(score({ found, scanner: "gitleaks" })).toEqual(score({ found: meant }));
});

test("a refusal says what a flag is", () => {
  expect(() => score({ found: "true" })).toThrow(
    "raw does not fit security.secret_scan: raw.found: must be true or false",
  );
  expect(() => score({})).toThrow("raw does not fit security.secret_scan: raw.found: is required");
});
