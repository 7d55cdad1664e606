import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Reading, type ReadOptions, ReportError, readReport } from "./index.ts";

const samples = new URL("../../../../shared/samples/dev/", import.meta.url);

/** What a file should give; which members there are depends on its folder. */
type Expected = Readonly<Record<string, unknown>>;

/** What the caller of an ambiguous file has to say, by folder. */
const named: Readonly<Record<string, ReadOptions>> = {
  trivy_json: { format: "trivy" },
  nuclei_jsonl: { format: "nuclei" },
  gitleaks_v8_json: { metric: "secret_scan" },
};

/** Whether the details of a folder are all findings of the tool, or its secrets. */
const allFindings = ["checkov_json", "tfsec_json", "kics_json"];

describe.skipIf(!existsSync(samples))("reports that real tools wrote", () => {
  for (const [path, expected] of Object.entries(filesOf(samples))) {
    const folder = path.slice(0, path.indexOf("/"));
    const isNothing = [expected.line_pct, expected.error_rate, expected.p95_ms].includes(null);
    test(path, () => {
      const read = () => readReport(readFileSync(new URL(path, samples)), named[folder]);
      if (expected.expect === "reject" || isNothing) expect(read).toThrow(ReportError);
      else compare(read(), expected, folder);
    });
  }
});

function filesOf(folder: URL): Readonly<Record<string, Expected>> {
  const path = new URL("expected.json", folder);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).files : {};
}

function compare(reading: Reading, expected: Expected, folder: string): void {
  const problem = allFindings.includes(folder) ? reading.problem : reading.secrets;
  for (const [field, value] of Object.entries(expected)) {
    const found = fields[field]?.(reading, expected);
    if (found !== undefined && value !== null) expect.soft(found, field).toEqual(value);
  }
  if ("count" in expected) expect.soft(problem?.count, "count").toBe(expected.count);
  if (Array.isArray(expected.details)) {
    const places = expected.details.map(({ file, line, description }) => ({
      file,
      line: line ?? undefined,
      description,
    }));
    const found = problem?.details.slice(0, places.length);
    expect.soft(found?.map(({ file, line, description }) => ({ file, line, description }))).toEqual(places);
  }
}

const rounded = (value: number | boolean | undefined, digits: number) =>
  typeof value === "number" ? Number(value.toFixed(digits)) : value;

/** How a field of the expectation is found in a reading. */
const fields: Readonly<Record<string, (reading: Reading, expected: Expected) => unknown>> = {
  critical: ({ severities }) => severities?.critical,
  high: ({ severities }) => severities?.high,
  medium: ({ severities }) => severities?.medium,
  // Grype's Negligible stands apart there, and is low here.
  low: ({ severities }, { negligible = 0 }) => severities && severities.low - Number(negligible),
  unknown: ({ severities }) => severities?.unknown,
  info: ({ severities }) => severities?.info,
  failed: ({ problem }) => problem?.count,
  secrets: ({ secrets }) => secrets?.count,
  covered: ({ coverage }) => coverage?.covered,
  total: ({ coverage }) => coverage?.total,
  line_pct: ({ metrics }) => rounded(metrics.unit_coverage?.coverage_pct, 4),
  error_rate: ({ metrics }) => rounded(metrics.stress_test?.error_rate, 8),
  p95_ms: ({ metrics }) => rounded(metrics.stress_test?.p95_ms, 4),
  checks_pct: ({ metrics }) => rounded(metrics.stress_test?.checks_pct, 4),
};
