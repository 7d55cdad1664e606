import { application } from "@maturity/application";
import { shippedMetrics } from "@maturity/client";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { expect, test } from "vitest";
import { metricNamed } from "./metric-name.ts";

test("the metrics are those that ship", () => {
  const shipped = [security, reliability, application].flatMap(({ name, metrics }) =>
    metrics.map((metric) => [metric.name, name]),
  );
  expect(Object.entries(shippedMetrics)).toEqual(shipped);
});

test.each([
  ["image_scan", { scorecard: "security", metric: "image_scan" }],
  ["security.image_scan", { scorecard: "security", metric: "image_scan" }],
  ["cost.budget", { scorecard: "cost", metric: "budget" }],
])("%s", (name, expected) => {
  expect(metricNamed(name)).toEqual(expected);
});

test.each(["budget", "", "cost.", ".budget", "a.b.c", "toString"])(
  "%j is no metric, and those there are are listed",
  (name) => {
    expect(() => metricNamed(name)).toThrow(/image_scan.*scorecard\.metric/);
  },
);
