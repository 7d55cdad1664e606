import { describe, expect, test } from "vitest";
import { type FindingKind, type ReportMetric, readReport } from "./index.ts";

/** Reports that say nothing was found, and show no sign that anything was looked at. */

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const bandit = (loc: number) => ({
  errors: [],
  generated_at: "2026-01-05",
  metrics: { _totals: { loc } },
  results: [],
});
const zap = (site: unknown) => ({ "@programName": "ZAP", "@version": "2.16.0", site });
const sarif = (driver: object) => ({ version: "2.1.0", runs: [{ tool: { driver }, results: [] }] });
const gitlab = (type: string, scan: object) => ({ version: "15.1.4", scan: { type, status: "success", ...scan } });
const log = (msg: string, others: object) => ({ level: "info-0", logger: "trufflehog", msg, ...others });
const govulncheck = (...steps: readonly object[]) => lines({ config: { scanner_name: "govulncheck" } }, ...steps);
const step = (message: string) => ({ progress: { message } });

const checkov = (check_type: string, summary: object, parsing_errors: string[] = []) => ({
  check_type,
  results: { passed_checks: [], failed_checks: [], skipped_checks: [], parsing_errors },
  summary: { passed: 0, failed: 0, skipped: 0, parsing_errors: parsing_errors.length, ...summary },
});
const kics = (counts: object) => ({
  kics_version: "v2.1.3",
  files_scanned: 4,
  queries_total: 9,
  queries: [],
  ...counts,
});

const scores: readonly [ReportMetric, string, unknown][] = [
  ["sast", "gosec that read no file", { "Golang errors": {}, Issues: [], Stats: { files: 0, lines: 0, found: 0 } }],
  ["sast", "Semgrep that scanned no file", { version: "1.97.0", results: [], errors: [], paths: { scanned: [] } }],
  ["sast", "Semgrep that names no file", { results: [], errors: [] }],
  [
    "sast",
    "Semgrep that could parse no file",
    {
      results: [],
      errors: [{ code: 3, level: "warn", type: "Syntax error", path: "src/odd.ts" }],
      paths: { scanned: ["src/odd.ts"] },
    },
  ],
  ["sast", "Bandit that read no line", bandit(0)],
  [
    "sast",
    "govulncheck that ended while it fetched",
    govulncheck(step("Fetching vulnerabilities from the database...")),
  ],
  ["sast", "govulncheck that only listed the modules", govulncheck({ SBOM: { modules: [] } })],
  [
    "sast",
    "SpotBugs without the plugin that looks for vulnerabilities",
    '<BugCollection version="4.8.3"><FindBugsSummary total_classes="7"/></BugCollection>',
  ],
  ["sast", "SonarQube without components", { paging: { total: 0 }, issues: [] }],
  ["sast", "SARIF whose tool has no name", sarif({})],
  ["image_scan", "SARIF of a tool that is not known", sarif({ name: "House Lint" })],
  ["dast", "SARIF of a tool that is not known, as if of a running system", sarif({ name: "House Lint" })],
  [
    "image_scan",
    "Snyk that knows no dependency",
    { ok: true, dependencyCount: 0, packageManager: "npm", vulnerabilities: [] },
  ],
  ["image_scan", "Grype without a source", { matches: [], descriptor: { name: "grype", version: "0.96.0" } }],
  ["image_scan", "Grype whose source is null", { matches: [], source: null, descriptor: { name: "grype" } }],
  ["image_scan", "CycloneDX with an empty list", { bomFormat: "CycloneDX", components: [{}], vulnerabilities: [] }],
  [
    "image_scan",
    "Trivy that lists packages",
    {
      SchemaVersion: 2,
      ArtifactType: "container_image",
      Results: [{ Target: "cart", Class: "os-pkgs", Packages: [{}] }],
    },
  ],
  [
    "sast",
    "SARIF with null in place of its results",
    { runs: [{ tool: { driver: { name: "CodeQL" } }, results: null }] },
  ],
  ["image_scan", "CycloneDX without components", { bomFormat: "CycloneDX", components: [], vulnerabilities: [] }],
  ["dast", "GitLab's DAST that visited nothing", { ...gitlab("dast", { scanned_resources: [] }), vulnerabilities: [] }],
  [
    "dast",
    "GitLab's API fuzzing that visited nothing",
    { ...gitlab("api_fuzzing", { scanned_resources: [] }), vulnerabilities: [] },
  ],
  [
    "sast",
    "GitLab's dependency scanning that read no file",
    { ...gitlab("dependency_scanning", {}), vulnerabilities: [], dependency_files: [] },
  ],
  ["sast", "OSV-Scanner without a source", { results: [], experimental_config: {} }],
  ["sast", "GitLab's schema 2", { version: "2.3", vulnerabilities: [], remediations: [] }],
  ["dast", "ZAP without a site", zap([])],
  ["dast", "ZAP whose site is nothing", { "@generated": "…", ...zap([{}]) }],
  ["dast", "ZAP without a list of alerts", zap([{ "@name": "https://shop.example", alerts: null }])],
  ["dast", "ZAP's XML without a list of alerts", '<OWASPZAPReport version="2.16.0"><site name="x"/></OWASPZAPReport>'],
  ["dast", "ZAP's XML whose site has no name", "<OWASPZAPReport><site><alerts/></site></OWASPZAPReport>"],
  ["secret_scan", "Checkov that could parse no file", checkov("secrets", { resource_count: 1 }, ["/keys.env"])],
  ["secret_scan", "Checkov that found no resource", checkov("secrets", { resource_count: 0 })],
  [
    "secret_scan",
    "KICS that parsed no file",
    kics({ files_parsed: 0, queries: [{ query_name: "Passwords And Secrets", files: [] }] }),
  ],
  ["secret_scan", "TruffleHog that scanned no chunk", lines(log("finished scanning", { chunks: 0, bytes: 0 }))],
];

const problems: readonly [FindingKind | undefined, string, unknown][] = [
  [undefined, "SARIF of a tool that is not known", sarif({ name: "House Lint", rules: [] })],
  [undefined, "SARIF whose tool has no name", sarif({})],
  [undefined, "SARIF of a tool that looks for several things", sarif({ name: "Trivy" })],
  [undefined, "Checkov that could parse no file", checkov("terraform", {}, ["/main.tf"])],
  [undefined, "Checkov that counts files it could not parse", checkov("terraform", { parsing_errors: 2 })],
  ["misconfigurations", "Checkov that found no resource", checkov("terraform", { resource_count: 0 })],
  ["secrets", "Checkov that found nothing that can hold a secret", checkov("secrets", { resource_count: 0 })],
  [undefined, "KICS that parsed no file", kics({ files_parsed: 0 })],
  [undefined, "KICS without queries", kics({ queries_total: 0 })],
  [
    "vulnerabilities",
    "GitLab's dependency scanning that read no file",
    { ...gitlab("dependency_scanning", {}), vulnerabilities: [], dependency_files: [] },
  ],
  ["secrets", "GitLab's schema 2", { version: "2.3", vulnerabilities: [], remediations: [] }],
];

const textOf = (report: unknown) => (typeof report === "string" ? report : JSON.stringify(report));

describe("silence gives no score, but on the caller's word", () => {
  test.each(scores)("%s: %s", (metric, _, report) => {
    for (const use of [{ metric }, { metric, for: "score" }] as const) {
      expect(() => readReport(textOf(report), use)).toThrow(
        expect.objectContaining({ code: "nothing-measured", waysOut: [{ assumeScanned: true }] }),
      );
    }
    const { metrics, assumed } = readReport(textOf(report), { metric, for: "score", assumeScanned: true });
    expect(assumed).toEqual({ scanned: true });
    const { assumed_scanned, ...counts } = metrics[metric] ?? {};
    expect(assumed_scanned).toBe(true);
    expect(Object.values(counts).every((count) => count === 0 || count === false)).toBe(true);
  });
});

describe("silence resolves no problem, but on the caller's word", () => {
  test.each(problems)("%s: %s", (kind, _, report) => {
    const use = { for: "problem", ...(kind && { kind }) } as const;
    expect(() => readReport(textOf(report), use)).toThrow(
      expect.objectContaining({ code: "nothing-measured", waysOut: [{ assumeScanned: true }] }),
    );
    expect(readReport(textOf(report), { ...use, assumeScanned: true })).toMatchObject({
      assumed: { scanned: true },
      problem: { count: 0 },
    });
  });
});
