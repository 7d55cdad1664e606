import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Format } from "./format.ts";
import { measured, type ReadOptions, type ReportErrorCode, readReport } from "./index.ts";
import { noFindings } from "./severities.ts";

const grype = JSON.stringify({
  matches: [],
  source: { type: "image" },
  descriptor: { name: "grype", version: "0.87.0" },
});
const leaks = JSON.stringify([{ RuleID: "x", Description: "Key", File: "a.env", StartLine: 1 }]);

describe("what is refused", () => {
  test.each<[string, string | Uint8Array, ReadOptions, ReportErrorCode, string]>([
    [
      "a format that does not exist",
      grype,
      { format: "grip" },
      "unknown-format",
      'there is no format "grip"; the nearest are grype, ',
    ],
    [
      "another format than the named one",
      grype,
      { format: "trivy" },
      "unreadable-report",
      "this is no Trivy JSON: it looks like Grype JSON",
    ],
    [
      "no format, but one is named",
      "{}",
      { format: "trivy" },
      "unreadable-report",
      "this is no Trivy JSON: it looks like a JSON object without members",
    ],
    [
      "a metric it does not feed",
      grype,
      { metric: "dast" },
      "wrong-metric",
      "this Grype JSON report is about image_scan, not dast",
    ],
    [
      "a problem it does not list",
      grype,
      { for: "problem" },
      "wrong-metric",
      "Grype JSON lists no findings with their files",
    ],
    [
      "an empty file",
      "",
      {},
      "empty-report",
      "the report is empty, which does not say whether anything was scanned; if",
    ],
    ["only a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf), {}, "empty-report", "the report is empty, which"],
    ["only one of UTF-16", Uint8Array.of(0xff, 0xfe), {}, "empty-report", "the report is empty, which"],
    ["a gzip file of nothing", gzipSync(""), {}, "empty-report", "the report is empty, which"],
    ["white space", " \r\n\t", {}, "empty-report", "the report holds only white space, which does not say"],
    ["a gzip file of white space", gzipSync("\n"), {}, "empty-report", "the report holds only white space, which"],
    [
      "white space for a format that it never is",
      "\n",
      { format: "trivy" },
      "empty-report",
      "the report holds only white space; Trivy JSON writes something else, even with nothing found",
    ],
    [
      "an empty file for coverage",
      "",
      { metric: "unit_coverage" },
      "empty-report",
      "does not say whether anything was scanned; look why the tool wrote nothing else",
    ],
    [
      "an empty list for a metric whose tools never write one",
      "[]",
      { metric: "sast" },
      "empty-report",
      "the report is []",
    ],
    [
      "an HTML page",
      "<!DOCTYPE html><html><body>503",
      {},
      "unknown-format",
      "as a web page is; have the tool write JSON or XML",
    ],
    [
      "a JUnit report",
      '<?xml version="1.0"?><testsuites/>',
      {},
      "unknown-format",
      "this looks like a JUnit test report (no metric takes test results; send their coverage)",
    ],
    [
      "other XML",
      "<report/>",
      { metric: "dast" },
      "unknown-format",
      "XML with the root element <report>; formats of dast are burp, gitlab, nuclei, sarif, zap-json, zap-xml",
    ],
    [
      "a Git LFS pointer",
      "version https://git-lfs.github.com/spec/v1\noid sha256:0",
      {},
      "unknown-format",
      "a Git LFS pointer",
    ],
    ["Zstandard", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4, 0x58), {}, "unknown-format", "a binary or compressed file"],
    ["a compressed file", Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), {}, "unknown-format", "a binary or compressed file"],
    ["text for a terminal", "\n\u001b[1mResult #1\u001b[0m", {}, "unknown-format", "text with terminal colours"],
    [
      "text",
      "No problems found.",
      {},
      "unknown-format",
      "this looks like text; have the tool write its report in a format that is read; it is near none of the formats",
    ],
    [
      "text for a metric",
      "No problems found.",
      { metric: "stress_test" },
      "unknown-format",
      "have the tool write its report in a format that is read; formats of stress_test are artillery, ",
    ],
    ["a configuration", '{"exclude": ["AWS018"]}', {}, "unknown-format", "a configuration, not a report"],
    [
      "what is near a format, but is none",
      '{"Results": [], "ArtifactName": "shop", "issues": 0, "BugCollection": 1}',
      {},
      "unknown-format",
      "the nearest formats are trivy, ",
    ],
    [
      "mobsfscan, which writes what Semgrep does but for its results",
      '{"errors": [], "mobsfscan_version": "0.3.4", "results": {"hardcoded_key": {"files": [], "metadata": {}}}}',
      {},
      "unknown-format",
      "the JSON of mobsfscan; its SARIF is read (--sarif)",
    ],
    [
      "a security finding of AWS, which has a SchemaVersion as Trivy does",
      '[{"SchemaVersion": "2018-10-08", "Id": "x", "ProductArn": "arn:aws:securityhub", "Severity": {"Label": "HIGH"}}]',
      {},
      "unknown-format",
      "security findings of AWS",
    ],
    [
      "hotspots of SonarQube, whose pages are those of issues",
      '{"paging": {"pageIndex": 1, "pageSize": 500, "total": 0}, "hotspots": [], "components": []}',
      {},
      "unknown-format",
      "the hotspots of SonarQube, which are no findings yet; api/issues/search is read",
    ],
    [
      "JSON in a comment before the XML",
      '<!--\n{"results": [], "errors": [], "paths": {}}\n-->\n<foo/>',
      {},
      "unknown-format",
      "XML with the root element <foo>",
    ],
    [
      "a comment before the declaration, which is not well-formed",
      '<!-- by hand -->\n<?xml version="1.0"?>\n<OWASPZAPReport/>',
      {},
      "unreadable-report",
      "this looks like ZAP XML, but is not well-formed XML",
    ],
    [
      "the lines of yarn audit",
      '{"type": "auditAdvisory", "data": {}}\n{"type": "auditSummary", "data": {}}\n',
      {},
      "unknown-format",
      "npm audit --json or pnpm audit --json is read",
    ],
    [
      "a report of TruffleHog v2",
      '[{"stringsFound": [], "reason": "x", "commitHash": "0"}]',
      {},
      "unknown-format",
      "TruffleHog v2",
    ],
    [
      "a bill of materials",
      '{"bomFormat": "CycloneDX", "specVersion": "1.6"}',
      {},
      "unknown-format",
      "a CycloneDX bill",
    ],
    [
      "an answer of an API",
      '{"message": "Bad credentials", "status": "401"}',
      {},
      "unknown-format",
      "an error answer of a web API",
    ],
    [
      "other JSON",
      '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}',
      {},
      "unknown-format",
      "JSON with the keys a, b, c, d, e, …",
    ],
    [
      "JSON that is cut off early",
      '{"a": 1, "b": "x',
      {},
      "unknown-format",
      "JSON with the keys a that is cut off or malformed",
    ],
    ["JSON of which nothing is left", '["x', {}, "unknown-format", "JSON that is cut off or malformed"],
    ["JSON without objects", "[1, 2]", {}, "unknown-format", "JSON without objects"],
    ["a list in a list", `[${leaks}]`, { metric: "secret_scan" }, "unknown-format", "JSON without objects"],
  ])("%s", (_name, report, options, code, message) => {
    expect(() => readReport(report, options)).toThrow(
      expect.objectContaining({ name: "ReportError", code, message: expect.stringContaining(message) }),
    );
  });

  test("an error can be shown in a terminal", () => {
    expect(() => readReport(`{"\\u001b[31m${"x".repeat(9_000)}": 1}`)).toThrow(
      /^this looks like JSON with the keys {2}\[31mx{35};/,
    );
    expect(() => readReport(`<list><${"x".repeat(9_000)}`)).toThrow(
      /^this looks like XML with the root element <list>/,
    );
  });

  test("an error repeats no value of the report", () => {
    const secret = "correct-horse-battery-staple";
    for (const report of [
      secret,
      `{"password": "${secret}"}`,
      `{"matches": "${secret}"`,
      `<a>${secret}</b>`,
      `["${secret}"]`,
    ]) {
      expect(() => readReport(report)).not.toThrow(secret);
    }
  });
});

describe("what is asked for", () => {
  test("the metric is the one that the format is made for", () => {
    expect(readReport(grype)).toMatchObject({ format: "grype", metric: "image_scan" });
  });

  test("or the one that is named", () => {
    const lcov = "SF:a.ts\nDA:1,1\nend_of_record\n";
    expect(readReport(lcov)).not.toHaveProperty("metric");
    expect(readReport(lcov, { metric: "integration_coverage" }).metric).toBe("integration_coverage");
  });

  test("a problem", () => {
    expect(readReport(leaks, { for: "problem" }).problem).toMatchObject({ count: 1, details: [{ file: "a.env" }] });
  });

  test("the bytes and the text of a file say the same", () => {
    expect(readReport(new TextEncoder().encode(leaks))).toEqual(readReport(leaks));
  });
});

test("a format of one's own joins by being listed", () => {
  const lines: Format = {
    name: "lines",
    title: "Lines",
    time: "none",
    metrics: ["sast"],
    metric: "sast",
    looksLike: ({ text }) => text.startsWith("LINES"),
    read: (document) => ({
      severities: measured({ ...noFindings(), high: [...document.lines()].length - 1 }, "lines"),
    }),
  };
  expect(readReport("LINES\na\nb\n", { formats: [lines] }).metrics).toMatchObject({ sast: { high: 2 } });
});

test.each([
  ["Trivy and OSV-Scanner", '{"SchemaVersion":2,"Results":[]}\n{"results":[],"experimental_config":{}}\n'],
  ["Grype and govulncheck", '{"matches":[],"source":{"type":"image"}}\n{"config":{"scanner_name":"govulncheck"}}\n'],
])("reports of %s in one file are refused", (_, report) => {
  expect(() => readReport(report, { metric: "sast", assumeScanned: true })).toThrow(
    expect.objectContaining({ code: "unreadable-report", message: expect.stringContaining("record 1: ") }),
  );
});
