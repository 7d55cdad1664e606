import { checkScorecard } from "@maturity/core/testing";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { dastCases } from "./dast.cases.ts";
import { imageScanCases } from "./image-scan.cases.ts";
import { security } from "./index.ts";
import { sastCases } from "./sast.cases.ts";
import { secretScanCases } from "./secret-scan.cases.ts";

for (const { name, run } of checkScorecard(security, {
  image_scan: imageScanCases,
  secret_scan: secretScanCases,
  sast: sastCases,
  dast: dastCases,
})) {
  test(name, run);
}

test("name, dimension and weight are as specified", () => {
  expect(security).toMatchObject({ contract: 1, name: "security", dimension: "ship", weight: 35 });
});

test("metrics, their weights, the hours for which they are fresh and what is better are as specified, in this order", () => {
  expect(
    security.metrics.map(({ name, weight, maxAgeHours, inputs = {} }) => [
      ...[name, weight, maxAgeHours],
      Object.fromEntries(Object.entries(inputs).map(([field, { better }]) => [field, better])),
    ]),
  ).toEqual([
    ["image_scan", 25, 168, { critical: "lower", high: "lower", medium: "lower" }],
    ["secret_scan", 25, 168, { found: "lower" }],
    ["sast", 25, 168, { critical: "lower", high: "lower", medium: "lower" }],
    ["dast", 25, 168, { high: "lower", medium: "lower" }],
  ]);
});

test("the scorer is the published package", () => {
  expect(security.package).toEqual({ name: packageJson.name, version: packageJson.version });
});
