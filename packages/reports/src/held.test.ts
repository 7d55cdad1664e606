import { expect, test } from "vitest";
import type { MetricMeasurements } from "./derive.ts";
import { heldIn } from "./held.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";
import { measured, notMeasured } from "./measurement.ts";
import { noFindings, type SeverityCounts } from "./severities.ts";

type Counts = { readonly [kind in FindingKind]?: number };

const counts = (...[critical = 0, high = 0, medium = 0, low = 0, info = 0, unknown = 0]: number[]) =>
  ({ critical, high, medium, low, info, unknown }) satisfies SeverityCounts;

/** In words, how many, their kind, and the metric that they feed. */
type Row = readonly [what: string, count: number, kind?: FindingKind | undefined, metric?: ReportMetric];

/** Kinds with their numbers; -1 for one that was not measured. */
const findingsOf = (kinds: Counts) =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, count]) => [
      kind,
      count === -1 ? notMeasured("is not known") : measured({ count, severities: noFindings(), details: [] }, "listed"),
    ]),
  );

test.each<[string, Counts, SeverityCounts | undefined, ReportMetric[], ReportMetric | undefined, Row[]]>([
  ["nothing", {}, undefined, [], undefined, []],
  ["none of a kind, and one that was not looked for", { secrets: 0, findings: -1 }, undefined, [], undefined, []],
  [
    "secrets that feed their metric, and others that feed none",
    { secrets: 1, misconfigurations: 2 },
    undefined,
    ["image_scan", "secret_scan"],
    undefined,
    [
      ["2 misconfigurations", 2, "misconfigurations"],
      ["1 secret", 1, "secrets", "secret_scan"],
    ],
  ],
  [
    "secrets of a report that does not feed that",
    { secrets: 3 },
    undefined,
    [],
    undefined,
    [["3 secrets", 3, "secrets"]],
  ],
  [
    "vulnerabilities that are listed, whose counts are not listed again",
    { vulnerabilities: 2 },
    counts(1, 1),
    ["image_scan"],
    undefined,
    [["2 vulnerabilities", 2, "vulnerabilities", "image_scan"]],
  ],
  [
    "vulnerabilities for the metric that was asked for",
    { vulnerabilities: 1 },
    counts(1),
    ["image_scan", "sast"],
    "sast",
    [["1 vulnerability", 1, "vulnerabilities", "sast"]],
  ],
  [
    "counts alone, of each severity but info",
    {},
    counts(1, 2, 4, 8, 16, 32),
    ["secret_scan", "dast"],
    undefined,
    [["47 alerts", 47, undefined, "dast"]],
  ],
  ["one in counts alone", {}, counts(0, 0, 0, 1), ["sast"], "secret_scan", [["1 weakness", 1, undefined, "sast"]]],
  [
    "counts beside findings that feed another metric or none",
    { secrets: 2, misconfigurations: 2 },
    counts(1),
    ["secret_scan", "sast"],
    undefined,
    [
      ["1 weakness", 1, undefined, "sast"],
      ["2 misconfigurations", 2, "misconfigurations"],
      ["2 secrets", 2, "secrets", "secret_scan"],
    ],
  ],
  ["one alert in counts alone", {}, counts(1), ["dast"], undefined, [["1 alert", 1, undefined, "dast"]]],
  ["counts of nothing but info", {}, counts(0, 0, 0, 0, 9), ["sast"], undefined, []],
  ["counts that feed no metric", {}, counts(9), ["secret_scan"], undefined, []],
  [
    "all findings, which are those of the other kinds",
    { findings: 3, misconfigurations: 1, secrets: 2 },
    undefined,
    [],
    undefined,
    [
      ["1 misconfiguration", 1, "misconfigurations"],
      ["2 secrets", 2, "secrets"],
    ],
  ],
  ["one finding of no other kind", { findings: 1 }, undefined, [], undefined, [["1 finding", 1, "findings"]]],
])("holds %s", (_, kinds, severities, metrics, metric, expected) => {
  const measurements: MetricMeasurements = Object.fromEntries(metrics.map((name) => [name, measured({}, "listed")]));
  const facts = { findings: findingsOf(kinds), ...(severities && { severities: measured(severities, "counted") }) };
  const held = heldIn(facts, measurements, metric).map(({ what, count, kind, metric }) => [what, count, kind, metric]);
  const order = (a: readonly unknown[], b: readonly unknown[]) => String(a[2]).localeCompare(String(b[2]));
  expect(held.toSorted(order)).toEqual(
    expected.map(([what, count, kind, fed]) => [what, count, kind, fed]).toSorted(order),
  );
});

test("counts that were not measured are not held", () => {
  expect(heldIn({ severities: notMeasured("is not known") }, { sast: measured({}, "listed") }, undefined)).toEqual([]);
});
