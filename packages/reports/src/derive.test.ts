import { expect, test } from "vitest";
import { measurementsOf, type RawValues } from "./derive.ts";
import type { Facts } from "./format.ts";
import type { AssumedSeverity, ReportMetric } from "./kinds.ts";
import {
  type Measurement,
  mapMeasured,
  measured,
  measuredBy,
  measuredCounts,
  measuredValues,
  notMeasured,
} from "./measurement.ts";
import { noFindings } from "./severities.ts";

const counts = { critical: 1, high: 2, medium: 4, low: 8, info: 16, unknown: 32 };
const severities = measured(counts, "rules are listed");

test.each<[ReportMetric, Facts, AssumedSeverity | undefined, RawValues]>([
  ["sast", { severities }, undefined, counts],
  ["image_scan", { severities }, undefined, counts],
  ["dast", { severities }, undefined, { high: 3, medium: 4, low: 8, info: 16, unknown: 32 }],
  [
    "secret_scan",
    { findings: { secrets: measured({ count: 0, severities: noFindings(), details: [] }, "x") } },
    undefined,
    { found: false, count: 0 },
  ],
  [
    "secret_scan",
    { findings: { secrets: measured({ count: 1, severities: noFindings(), details: [] }, "x") } },
    undefined,
    { found: true, count: 1 },
  ],
  [
    "stress_test",
    { load: { error_rate: 1 / 3, p95_ms: 200 / 3, checks_pct: 200 / 3 } },
    undefined,
    { error_rate: 0.333_333_33, p95_ms: 66.6667, checks_pct: 66.6667 },
  ],
])("%s of %j", (metric, facts, severity, raw) => {
  expect(measuredValues(measurementsOf([metric], facts, severity))).toEqual({ [metric]: raw });
});

test("an assumed severity takes what is unknown", () => {
  expect(measuredValues(measurementsOf(["sast"], { severities }, "high"))).toMatchObject({ sast: { high: 34 } });
});

test.each<ReportMetric>([
  "sast",
  "image_scan",
  "dast",
  "secret_scan",
  "unit_coverage",
  "integration_coverage",
  "stress_test",
])("%s of a report that says nothing of it is absent", (metric) => {
  expect(measurementsOf([metric], {})).toEqual({});
});

test("findings prove themselves, and nothing found needs other evidence", () => {
  expect(measuredBy("a", 0, "rules are listed", "is silent")).toEqual(measured("a", "rules are listed"));
  expect(measuredBy("a", 1, undefined, "is silent")).toEqual(measured("a", "findings"));
  expect(measuredBy("a", 0, undefined, "is silent")).toEqual(notMeasured("is silent"));
  const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
  expect(measuredCounts(none, undefined, "is silent")).toEqual({ measured: false, missing: "is silent" });
  expect(measuredCounts({ ...none, low: 1 }, undefined, "is silent")).toMatchObject({
    measured: true,
    evidence: "findings",
  });
});

test("only what is measured has a value, and can be changed", () => {
  expect(measuredValues({ a: measured(1, "x"), b: notMeasured("y"), c: undefined })).toEqual({ a: 1 });
  expect(mapMeasured(measured(1, "x"), (value) => value + 1)).toEqual(measured(2, "x"));
  expect(mapMeasured(notMeasured("y"), () => 1)).toEqual(notMeasured("y"));
});

test.each<[ReportMetric, Facts, Measurement<RawValues>]>([
  [
    "unit_coverage",
    { coverage: { unit: "lines", covered: 2, total: 3 } },
    measured({ coverage_pct: 66.6667, covered: 2, total: 3 }, "3 lines"),
  ],
  [
    "unit_coverage",
    { coverage: { unit: "lines", covered: 0, total: 0 } },
    notMeasured("measured nothing: it has no lines"),
  ],
  ["stress_test", { load: { error_rate: 0, p95_ms: 9 } }, measured({ error_rate: 0, p95_ms: 9 }, "error_rate, p95_ms")],
])("the evidence of %s in %j", (metric, facts, measurement) => {
  expect(measurementsOf([metric], facts)).toEqual({ [metric]: measurement });
});
