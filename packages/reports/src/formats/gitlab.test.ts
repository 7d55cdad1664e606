import { testFormat } from "../../test/support/test-format.ts";
import { gitlab } from "./gitlab.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const entry = (severity: unknown, others: object = {}) => ({
  id: "a661cfc4133633b9",
  name: "SQL injection",
  description: "Built from input",
  severity,
  location: { file: "src/cart.ts", start_line: 7 },
  identifiers: [{ type: "cwe", name: "CWE-89", value: "89" }],
  ...others,
});
const report = (type: string, vulnerabilities: unknown, scan: object = {}) => ({
  version: "15.1.4",
  vulnerabilities,
  scan: { scanner: { id: "semgrep", name: "Semgrep", version: "1.74.0" }, type, status: "success", ...scan },
});
/** A report of schema 2. */
const old = (...vulnerabilities: object[]) => ({ version: "2.3", vulnerabilities, remediations: [] });

testFormat(gitlab, {
  "source code": {
    report: report(
      "sast",
      ["Critical", "High", "medium", "Low", "Info", "Unknown", "Undefined"].map((word) => entry(word)),
    ),
    reads: {
      metric: "sast",
      metrics: { sast: { critical: 1, high: 1, medium: 1, low: 1, info: 1, unknown: 2 } },
      tool: "Semgrep 1.74.0",
    },
  },
  "nothing found": {
    report: report("sast", []),
    reads: { metrics: { sast: none }, notes: [], evidence: "the kind of the scan" },
  },
  "a container": {
    report: report("container_scanning", [entry("High", { location: { image: "shop/cart:latest" } })]),
    reads: { metric: "image_scan", metrics: { image_scan: { ...none, high: 1 } } },
  },
  "a running instance": {
    report: report("dast", [entry("Critical", { location: { hostname: "https://shop.example", path: "/cart" } })]),
    reads: { metric: "dast", metrics: { dast: { high: 1 } } },
  },
  "dependencies, for which their caller has to name a metric": {
    report: report("dependency_scanning", [entry("High"), entry(undefined)]),
    options: { metric: "sast" },
    reads: { metrics: { sast: { ...none, high: 1, unknown: 1 } } },
  },
  "secrets, with their places and never themselves": {
    report: report("secret_detection", [
      entry("Critical", {
        name: "AWS",
        raw_source_code_extract: "correct-horse-battery",
        location: { file: ".env", start_line: 5 },
      }),
      entry("Critical", {
        name: "",
        message: "Key correct-horse-battery",
        raw_source_code_extract: "correct-horse-battery",
      }),
    ]),
    reads: {
      metric: "secret_scan",
      metrics: { secret_scan: { found: true, count: 2 } },
      problems: {
        secrets: {
          count: 2,
          severity: "critical",
          details: [
            { file: ".env", line: 5, description: "AWS" },
            { file: "src/cart.ts", line: 7, description: "Key ***" },
          ],
        },
      },
    },
  },
  "what was dismissed, and what is likely false": {
    report: report("sast", [
      entry("High", { dismissed: true }),
      entry("High", { flags: [{ type: "flagged-as-likely-false-positive", origin: "x" }] }),
      entry("High", { flags: [{ type: "other" }], dismissed: false }),
    ]),
    reads: {
      metrics: { sast: { ...none, high: 1 } },
      notes: ["2 dismissed or flagged as false positives, not counted"],
    },
  },
  "messages that say of no failure": {
    report: report("sast", [entry("High")], { messages: [{ level: "warn", value: "Slow" }, { level: "info" }] }),
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },
  "schema 2, by the category of its entries": {
    report: old(entry("High", { category: "secret_detection" })),
    reads: { metric: "secret_scan", metrics: { secret_scan: { found: true, count: 1 } } },
  },
  "schema 2 without categories, by the places": {
    report: old(entry("High", { location: { image: "shop/cart:latest", dependency: { package: { name: "zlib" } } } })),
    reads: { metric: "image_scan" },
  },

  "schema 2 with nothing in it, on the caller's word": {
    report: old(),
    options: { metric: "dast", assumeScanned: true },
    reads: {
      metrics: { dast: { high: 0, medium: 0, low: 0, info: 0, unknown: 0, assumed_scanned: true } },
      assumed: { scanned: true },
      notes: ["the report does not say which kind of scan it is of; taken for clean on the caller's word"],
    },
  },
  "schema 2 with nothing in it, for secret_scan on the caller's word": {
    report: old(),
    options: { metric: "secret_scan", assumeScanned: true },
    reads: { metrics: { secret_scan: { found: false, count: 0 } } },
  },
  "a running instance without a flaw": {
    report: report("dast", [], { scanned_resources: [{ method: "GET", url: "https://shop.example/", type: "url" }] }),
    reads: { metric: "dast", metrics: { dast: { high: 0 } }, problems: { findings: { count: 0 } } },
  },

  "schema 2 with nothing in it, and a metric": {
    report: old(),
    options: { metric: "dast" },
    refused: ["nothing-measured", "does not say which kind of scan it is of"],
  },
  "schema 2 with nothing in it, and a kind of findings": {
    report: old(),
    options: { for: "problem", kind: "vulnerabilities" },
    refused: ["nothing-measured", "does not say which kind of scan it is of"],
  },
  "schema 2 with nothing in it": {
    report: old(),
    refused: ["nothing-measured", "does not say which kind of scan it is of"],
  },
  "schema 2 with nothing in it, for a problem": {
    report: old(),
    options: { for: "problem" },
    refused: ["nothing-measured", "does not say which kind of scan it is of"],
  },
  "another metric than its kind": {
    report: report("sast", []),
    options: { metric: "secret_scan" },
    refused: ["wrong-metric", "this GitLab security JSON report is about sast, not secret_scan"],
  },
  "weaknesses, for a problem that names no kind": {
    report: report("sast", [entry("High")]),
    options: { for: "problem" },
    reads: { kind: "findings", problem: { count: 1 } },
  },
  "secrets, for a problem that names no kind": {
    report: report("secret_detection", []),
    options: { for: "problem" },
    reads: { kind: "secrets", problem: { count: 0 } },
  },
  "another problem than its kind": {
    report: report("sast", [entry("High")]),
    options: { for: "problem", kind: "secrets" },
    refused: ["wrong-metric", "GitLab security JSON lists no secrets with their files, only findings"],
  },
  "dependencies, and nobody says what for": {
    report: report("dependency_scanning", []),
    options: { for: "score" },
    refused: ["undecided", "is not made for one metric, so name it: sast"],
  },
  "a failed scan": {
    report: report("sast", [], { status: "failure" }),
    refused: ["failed-scan", "scan.status says that the scan failed"],
  },
  "a failed scan that found something": {
    report: report("sast", [entry("High")], { status: "failure" }),
    refused: ["failed-scan", "scan.status says that the scan failed"],
  },
  "a fatal message": {
    report: report("sast", [], { messages: [{ level: "info" }, { level: "fatal", value: "Out of memory" }] }),
    refused: ["failed-scan", "scan.messages[1].level says that the scan failed"],
  },
  "a fatal message of a scan that found something": {
    report: report("sast", [entry("High")], { messages: [{ level: "fatal", value: "Out of memory" }] }),
    refused: ["failed-scan", "scan.messages[0].level says that the scan failed"],
  },
  "two kinds of scan": {
    report: [report("sast", []), report("dast", [])],
    refused: ["unreadable-report", "has several kinds of scan: give each report a file of its own"],
  },
  "an entry that is none": {
    report: report("sast", [entry("High"), "High"]),
    refused: ["unreadable-report", "vulnerabilities[1] must be an object"],
  },
});
