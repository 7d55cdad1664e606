import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { formats, mergeReadings, type Reading, readReport } from "./index.ts";

/** The present of these tests. */
const now = Date.parse("2026-11-24T00:00:00Z");
const read = (report: unknown): Reading =>
  readReport(typeof report === "string" ? report : JSON.stringify(report), { now });

const utc = "2024-10-03T10:11:12.000Z";
const seconds = 1_727_950_272;
const jtl = (...rows: readonly string[]) => ["timeStamp,elapsed,label,responseCode,success", ...rows, ""].join("\n");
const jacoco = (...dumps: readonly string[]) =>
  `<report name="a">${dumps.map((dump) => `<sessioninfo id="a" start="1" dump="${dump}"/>`).join("")}<counter type="LINE" missed="1" covered="1"/></report>`;
const reportDate = (date: string) =>
  `<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd"><projectInfo><reportDate>${date}</reportDate></projectInfo><dependencies><dependency/></dependencies></analysis>`;

/**
 * Of each format either why its reports state no time at which the tool ran, by what their documents and samples have, or
 * how they state one: the field, a value as the tool writes it, and the result. Of fields that only the reader finds, the
 * value is the whole report.
 */
const stated: Readonly<Record<string, string | readonly (readonly [string, unknown, string?])[]>> = {
  artillery: [
    ["aggregate.lastMetricAt", seconds * 1_000],
    ["aggregate.timestamp", "2024-10-03T10:11:12.773Z", "2024-10-03T10:11:12.773Z"],
  ],
  bandit: [["generated_at", "2024-10-03T10:11:12Z"]],
  brakeman: [
    ["scan_info.end_time", "2024-10-03 03:11:12 -0700"],
    ["scan_info.timestamp", "2024-10-03 18:11:12 +0800"],
  ],
  burp: [["@exportTime", "Thu Oct 03 10:11:12 CEST 2024"]],
  checkov: "its results have the dates of commits (git_last_modified_at) alone",
  clover: [
    ["@generated", `${seconds}`],
    ["@generated", `${seconds}648`, "2024-10-03T10:11:12.648Z"],
  ],
  cobertura: [
    ["@timestamp", `${seconds}`],
    ["@timestamp", `${seconds}455`, "2024-10-03T10:11:12.455Z"],
  ],
  coveragepy: [["meta.timestamp", "2024-10-03T10:11:12.319519", "2024-10-03T10:11:12.319Z"]],
  cyclonedx: [["metadata.timestamp", "2024-10-03T11:11:12+01:00"]],
  "dependency-check-json": [["projectInfo.reportDate", "2024-10-03T10:11:12.647663Z", "2024-10-03T10:11:12.647Z"]],
  "dependency-check-xml": [["projectInfo/reportDate", reportDate("2024-10-03T06:11:12.000-0400")]],
  "detect-secrets": [["generated_at", "2024-10-03T10:11:12Z"]],
  "gatling-stats": "stats.json has counts and percentiles; the time of the run stands in the name of its folder",
  gitlab: [["scan.end_time", "2024-10-03T10:11:12"]],
  gitleaks: "Date is that of the commit that holds a secret",
  "go-cover": "a profile has blocks and counts",
  gosec: "a report has its version, its issues and counts of files",
  govulncheck: "db_last_modified is when the database changed, published and modified when an entry of it did",
  grype: [["descriptor.timestamp", "2024-10-03T12:11:12.372724916+02:00", "2024-10-03T10:11:12.372Z"]],
  "istanbul-final": "a file has its statements and counts",
  "istanbul-summary": "a summary has totals and percentages",
  jacoco: [["sessioninfo/@dump", jacoco(`${seconds}000`)]],
  "jmeter-jtl": [
    ["timeStamp", jtl(`${seconds - 9}000,5,a,200,true`, `${seconds}000,5,a,200,true`)],
    ["timeStamp", jtl("2024/10/03 10:11:12,5,a,200,true")],
  ],
  "jmeter-statistics": "statistics.json has counts and percentiles",
  "k6-handle-summary": "state has how long the test ran, not when",
  "k6-machine-readable": [["metadata.generatedAt", "2024-10-03T10:11:12.123Z", "2024-10-03T10:11:12.123Z"]],
  "k6-summary-export": "a summary has the values of metrics",
  kics: [["end", "2024-10-03T10:11:12.5Z", "2024-10-03T10:11:12.500Z"]],
  lcov: "a tracefile has the name of its test and lines",
  "llvm-cov": "an export has its version, files and totals",
  "locust-stats": "only the history of a run has a column Timestamp, and it is refused",
  "npm-audit": "created and updated are those of an advisory",
  nuclei: [["timestamp", "2024-10-03T11:11:12.559886+01:00", "2024-10-03T10:11:12.559Z"]],
  opencover: "ModuleTime is when a module was built",
  "osv-scanner": "published and modified are those of an advisory",
  "pip-audit": "a report has packages and their advisories",
  safety: [["report_meta.timestamp", "2024-10-03 10:11:12"]],
  sarif: [
    ["runs[].invocations[].endTimeUtc", "2024-10-03T10:11:12Z"],
    ["runs[].invocations[].startTimeUtc", "2024-10-03T10:11:12Z"],
  ],
  semgrep: "time has how long rules took, not when they ran",
  simplecov: [["*.timestamp", seconds]],
  snyk: "creationTime, disclosureTime, modificationTime and publicationTime are those of an advisory",
  sonarqube: "creationDate and updateDate are those of an issue, and a measure has none",
  spotbugs: [["@analysisTimestamp", `${seconds}000`]],
  tfsec: "a report has its results",
  trivy: [["CreatedAt", "2024-10-03T16:11:12.230231+06:00", "2024-10-03T10:11:12.230Z"]],
  trufflehog: [["ts", "2024-10-03T10:11:12Z"]],
  "zap-json": [
    ["created", "2024-10-03T10:11:12.581414233Z", "2024-10-03T10:11:12.581Z"],
    ["@generated", "Thu, 3 Oct 2024 10:11:12"],
  ],
  "zap-xml": [
    ["@created", "2024-10-03T10:11:12.581414233Z", "2024-10-03T10:11:12.581Z"],
    ["@generated", "Thu, 3 Oct 2024 10:11:12"],
  ],
};

/** A report of a format whose field has a value. */
function reportWith(format: string, field: string, value: unknown): unknown {
  const [report] = Object.values(oneOfEach[format] ?? {});
  if (typeof report !== "string") return withField(report, field.split("."), value);
  if (field.startsWith("@")) return withAttribute(report, field.slice(1), String(value));
  if (!report.startsWith("{")) return value;
  return report
    .trim()
    .split("\n")
    .map((line) => JSON.stringify(withField(JSON.parse(line), field.split("."), value)))
    .join("\n");
}

function withAttribute(xml: string, name: string, value: string): string {
  return xml.replace(new RegExp(` ${name}="[^"]*"`), "").replace(/<([A-Za-z]+)/, `<$1 ${name}="${value}"`);
}

function withField(of: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const name = key.replace("[]", "");
  const object = (of ?? {}) as Record<string, unknown>;
  const names = name === "*" ? Object.keys(object) : [name];
  const inner = (found: unknown) => (rest.length === 0 ? value : withField(found, rest, value));
  const entries = names.map((each) => {
    const { [each]: found } = object;
    return [each, key.endsWith("[]") ? ((found ?? [{}]) as unknown[]).map(inner) : inner(found)];
  });
  return { ...object, ...Object.fromEntries(entries) };
}

test("each format says whether its reports state a time", () => {
  const own = Object.fromEntries(formats.map(({ name, time }) => [name, time === "none" ? "none" : [...time.fields]]));
  const tested = Object.entries(stated).map(([name, cases]) => [
    name,
    typeof cases === "string" ? "none" : [...new Set(cases.map(([field]) => field))],
  ]);
  expect(Object.fromEntries(tested)).toEqual(own);
});

const cases = Object.entries(stated).flatMap(([format, each]) =>
  typeof each === "string" ? [] : each.map(([field, value, at = utc]) => ({ format, field, value, at })),
);

test.each(cases)("$format states it by $field: $value", ({ format, field, value, at }) => {
  expect(read(reportWith(format, field, value))).toMatchObject({ format, measuredAt: at });
});

test.each(Object.entries(stated).filter(([, why]) => typeof why === "string"))("%s states none: %s", (format) => {
  const [report] = Object.values(oneOfEach[format] ?? {});
  expect(read(report)).not.toHaveProperty("measuredAt");
});

describe("a value that is no time makes no report fail", () => {
  const hostile = fc.oneof(
    fc.constantFrom("", "0", 0, -1, "now", "2999-01-01T00:00:00Z", 9e99, null, true, {}, [[[]]], "9".repeat(5_000)),
    fc.jsonValue(),
  );
  const inJson = cases.filter(
    ({ format, field }) => !field.startsWith("@") && typeof reportWith(format, field, 1) !== "number",
  );

  test.each(inJson)("of $format, $field", ({ format, field }) => {
    const whole = read(reportWith(format, field, "2024-10-03T10:11:12Z"));
    fc.assert(
      fc.property(hostile, (value) => {
        const { measuredAt, metrics } = read(reportWith(format, field, value));
        expect(metrics).toEqual(whole.metrics);
        const at = Date.parse(measuredAt ?? utc);
        expect(at >= Date.UTC(2000) && at <= now + 300_000).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["@timestamp", "no time that can be read", "yesterday"],
    ["@timestamp", "a time before 2000", "0"],
    ["@timestamp", "a time before 2000", "1999-12-31T23:59:59Z"],
    ["@timestamp", "a time before 2000", "0001-01-01T00:00:00Z"],
    ["@timestamp", "a time in the future", "2026-11-24T00:05:01Z"],
  ])("%s holds %s", (field, what, value) => {
    const reading = read(reportWith("cobertura", field, value));
    expect(reading).not.toHaveProperty("measuredAt");
    expect(reading.notes).toEqual([`${field} holds ${what}, which does not count`]);
  });

  test("a clock may be five minutes ahead", () => {
    const reading = read(reportWith("cobertura", "@timestamp", "2026-11-24T00:05:00Z"));
    expect(reading).toMatchObject({ measuredAt: "2026-11-24T00:05:00.000Z", notes: [] });
  });
});

test("without a zone it is UTC, and a note says so unless the format says it", () => {
  expect(read(reportWith("safety", "report_meta.timestamp", "2024-10-03 10:11:12"))).toMatchObject({
    measuredAt: utc,
    notes: ["report_meta.timestamp names no time zone that is known, so it is taken for UTC"],
  });
  expect(read(reportWith("gitlab", "scan.end_time", "2024-10-03T10:11:12"))).toMatchObject({
    measuredAt: utc,
    notes: [],
  });
});

describe("of several parts the earliest counts", () => {
  const run = (...times: readonly unknown[]) => ({
    tool: { driver: { name: "CodeQL" } },
    results: [],
    invocations: times.map((endTimeUtc) => ({ executionSuccessful: true, endTimeUtc })),
  });
  const old = "2024-10-01T00:00:00Z";
  const later = "2024-10-03T00:00:00Z";

  test.each([
    ["runs", { version: "2.1.0", runs: [run(later), run(old)] }],
    ["invocations", { version: "2.1.0", runs: [run(later, old)] }],
    ["runs of which one states none", { version: "2.1.0", runs: [run(old), run()] }],
    ["runs of which one states what cannot be", { version: "2.1.0", runs: [run("2999-01-01T00:00:00Z"), run(old)] }],
    ["sessions of JaCoCo", jacoco("1727913600000", "1727740800000")],
    [
      "commands of SimpleCov",
      {
        a: { coverage: { "/a.rb": [1] }, timestamp: 1727913600 },
        b: { coverage: { "/a.rb": [1] }, timestamp: 1727740800 },
      },
    ],
    [
      "runs of JMeter",
      `${jtl("1727913600000,5,a,200,true")}${jtl("1727737200000,5,a,200,true", "1727740800000,5,a,200,true")}`,
    ],
  ])("%s", (_name, report) => {
    expect(read(report).measuredAt).toBe("2024-10-01T00:00:00.000Z");
  });

  test("reports that are merged", () => {
    const readings = [later, old].map((time) => read({ version: "2.1.0", runs: [run(time)] }));
    const silent = read({ version: "2.1.0", runs: [run()] });
    expect(mergeReadings([...readings, silent]).measuredAt).toBe("2024-10-01T00:00:00.000Z");
    expect(mergeReadings([silent, silent])).not.toHaveProperty("measuredAt");
  });
});
