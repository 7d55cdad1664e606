import { checkScorecard } from "@maturity/core/testing";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { changeFailureRateCases } from "./change-failure-rate.cases.ts";
import { reliability } from "./index.ts";
import { mttdCases } from "./mttd.cases.ts";
import { mttrCases } from "./mttr.cases.ts";
import { slaCases } from "./sla.cases.ts";

for (const { name, run } of checkScorecard(reliability, {
  sla: slaCases,
  change_failure_rate: changeFailureRateCases,
  mttr: mttrCases,
  mttd: mttdCases,
})) {
  test(name, run);
}

test("name, dimension and weight are as specified", () => {
  expect(reliability).toMatchObject({ contract: 1, name: "reliability", dimension: "run", weight: 40 });
});

test("metrics, their weights, the hours for which they are fresh and what is better are as specified, in this order", () => {
  expect(
    reliability.metrics.map(({ name, weight, maxAgeHours, inputs = {} }) => [
      ...[name, weight, maxAgeHours],
      Object.fromEntries(Object.entries(inputs).map(([field, { better }]) => [field, better])),
    ]),
  ).toEqual([
    ["sla", 20, 168, { availability_pct: "higher" }],
    ["change_failure_rate", 30, 168, { rate_pct: "lower" }],
    ["mttr", 25, 168, { minutes: "lower" }],
    ["mttd", 25, 168, { minutes: "lower" }],
  ]);
});

test("the scorer is the published package", () => {
  expect(reliability.package).toEqual({ name: packageJson.name, version: packageJson.version });
});
