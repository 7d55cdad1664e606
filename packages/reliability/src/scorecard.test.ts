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

test("metrics and their weights are as specified, in this order", () => {
  expect(reliability.metrics.map(({ name, weight }) => [name, weight])).toEqual([
    ["sla", 20],
    ["change_failure_rate", 30],
    ["mttr", 25],
    ["mttd", 25],
  ]);
});

test("the scorer is the published package", () => {
  expect(reliability.package).toEqual({ name: packageJson.name, version: packageJson.version });
});
