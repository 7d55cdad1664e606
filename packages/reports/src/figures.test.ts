import { describe, expect, test } from "vitest";
import {
  type Coverage,
  type Facts,
  type Format,
  type Load,
  measured,
  mergeReadings,
  type Reading,
  ReportError,
  type ReportMetric,
  readReport,
} from "./index.ts";
import { noFindings } from "./severities.ts";

/** A format whose reports give these facts. */
const formatOf = (metric: ReportMetric, facts: Facts): Format => ({
  name: "careless",
  title: "careless JSON",
  time: "none",
  metrics: [metric],
  metric,
  looksLike: () => true,
  read: () => facts,
});

const reading = (metric: ReportMetric, facts: Facts): Reading =>
  readReport("{}", { formats: [formatOf(metric, facts)] });

const severities = (counts: object) => ({ severities: measured({ ...noFindings(), ...counts }, "a test") });
const secrets = (count: number) => ({
  findings: { secrets: measured({ count, severities: noFindings(), details: [] }, "a test") },
});
const coverage = (figures: object) => ({ coverage: { unit: "lines", covered: 1, total: 2, ...figures } as Coverage });
const load = (figures: object) => ({ load: { error_rate: 0, p95_ms: 1, checks_pct: 100, ...figures } as Load });

/** For each figure facts that have it, with the greatest value that it may have. */
const figures: readonly [string, ReportMetric, number, (value: number) => Facts][] = [
  ...Object.keys(noFindings()).map((severity): [string, ReportMetric, number, (value: number) => Facts] => [
    severity,
    "sast",
    1_000_000_000,
    (value) => severities({ [severity]: value }),
  ]),
  ["count", "secret_scan", 1_000_000_000, secrets],
  ["covered", "unit_coverage", 2, (covered) => coverage({ covered })],
  ["total", "unit_coverage", Number.MAX_SAFE_INTEGER, (total) => coverage({ total })],
  ["error_rate", "stress_test", 1, (error_rate) => load({ error_rate })],
  ["p95_ms", "stress_test", 86_400_000, (p95_ms) => load({ p95_ms })],
  ["checks_pct", "stress_test", 100, (checks_pct) => load({ checks_pct })],
];

describe.each(figures)("%s", (_name, metric, maximum, factsOf) => {
  test("may be as great as it can be", () => {
    expect(reading(metric, factsOf(maximum)).metrics[metric]).toBeDefined();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, maximum * 1.000001, 1e300])(
    "is never %d",
    (value) => {
      expect(() => reading(metric, factsOf(value))).toThrow(ReportError);
    },
  );
});

test.each<[string, ReportMetric, Facts, string]>([
  ["half a finding", "sast", severities({ high: 0.5 }), "the number of high findings must be a whole number from 0 to"],
  ["half a line", "unit_coverage", coverage({ covered: 0.5 }), "must be a whole number"],
  [
    "more covered than there is, by so little that the percentage does not show it",
    "unit_coverage",
    coverage({ covered: 1_000_000_001, total: 1_000_000_000 }),
    "this looks like careless JSON, but has more covered than there is",
  ],
  ["too many alerts together", "dast", severities({ critical: 1_000_000_000, high: 1 }), "the number of high findings"],
  [
    "secrets that nobody asked for",
    "sast",
    { ...severities({}), ...secrets(Number.NaN) },
    "the number of findings must be",
  ],
])("refused: %s", (_name, metric, facts, message) => {
  expect(() => reading(metric, facts)).toThrow(message);
});

test("what reports add up to is checked too", () => {
  const half = reading("sast", severities({ high: 600_000_000 }));
  expect(() => mergeReadings([half, half])).toThrow(
    new ReportError("unreadable-report", "the number of high findings must be a whole number from 0 to 1000000000"),
  );
});
