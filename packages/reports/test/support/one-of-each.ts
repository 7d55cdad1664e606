import { oneOfEachDependencyScanner } from "./one-of-each-dependency-scanner.ts";

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const sarif = (name: string, ...levels: readonly string[]) => ({
  version: "2.1.0",
  runs: [{ tool: { driver: { name } }, results: levels.map((level) => ({ ruleId: "a", level })) }],
});
const gitlab = (type: string, location: object) => ({
  version: "15.1.4",
  scan: { type, status: "success", scanner: { name: "Scanner" } },
  vulnerabilities: [{ name: "Flaw", severity: "High", location, identifiers: [] }],
});
const xmlCoverage = (root: string, inner: string) =>
  `<?xml version="1.0"?>\n<${root}>${inner}</${root.split(" ")[0]}>\n`;
const k6 = (values: (fields: object) => object) => ({
  metrics: {
    http_req_failed: values({ rate: 0.1, value: 0.1, passes: 1, fails: 9 }),
    http_req_duration: values({ avg: 1, min: 1, med: 1, max: 9, "p(90)": 8, "p(95)": 9 }),
    http_reqs: values({ count: 10, rate: 1 }),
    checks: values({ rate: 1, value: 1, passes: 10, fails: 0 }),
  },
});

/**
 * Small reports of every format that are read without naming it, each named by a few words: with findings, and of tools
 * that say so, without.
 */
export const oneOfEach: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  trivy: {
    vulnerabilities: {
      SchemaVersion: 2,
      ArtifactName: "cart",
      ArtifactType: "container_image",
      Results: [
        { Target: "cart", Class: "os-pkgs", Vulnerabilities: [{ VulnerabilityID: "CVE-1", Severity: "HIGH" }] },
      ],
    },
    "misconfigurations alone": {
      SchemaVersion: 2,
      ArtifactName: "infra",
      ArtifactType: "filesystem",
      Results: [{ Target: "Dockerfile", Class: "config", Misconfigurations: [{ Title: "Root", Severity: "HIGH" }] }],
    },
    "a clean image": {
      SchemaVersion: 2,
      ArtifactName: "cart",
      ArtifactType: "container_image",
      Results: [{ Target: "cart", Class: "os-pkgs" }],
    },
    "an inventory of an image": {
      SchemaVersion: 2,
      ArtifactName: "cart",
      ArtifactType: "container_image",
      Results: [{ Target: "cart", Class: "os-pkgs", Packages: [{ Name: "zlib" }] }],
    },
    "nothing at all": { SchemaVersion: 2, ArtifactName: "cart", ArtifactType: "container_image" },
  },
  grype: {
    findings: {
      matches: [{ vulnerability: { id: "CVE-1", severity: "High" }, artifact: { name: "a" } }],
      source: { type: "image" },
      descriptor: { name: "grype", version: "0.96.0" },
    },
    clean: { matches: [], source: { type: "image" }, descriptor: { name: "grype", version: "0.96.0" } },
  },
  snyk: {
    findings: {
      ok: false,
      dependencyCount: 9,
      vulnerabilities: [{ id: "a", severity: "high", packageManager: "deb" }],
    },
    clean: { ok: true, dependencyCount: 9, packageManager: "deb", vulnerabilities: [] },
  },
  sarif: {
    "a reader of source": sarif("CodeQL", "error"),
    "a clean reader of source": sarif("CodeQL"),
    "a linter": sarif("ESLint", "error"),
    "a clean linter": sarif("ESLint"),
    "a clean scanner of infrastructure": sarif("Checkov"),
    "a clean scanner of secrets": sarif("gitleaks"),
    "a clean scanner of running systems": sarif("ZAP"),
    "a silent Trivy": sarif("Trivy"),
  },
  semgrep: {
    findings: {
      version: "1.150.0",
      errors: [],
      results: [{ check_id: "sql", path: "a.py", extra: { severity: "ERROR" } }],
      paths: { scanned: ["a.py"] },
    },
    clean: { version: "1.150.0", errors: [], results: [], paths: { scanned: ["a.py"] } },
  },
  sonarqube: {
    findings: {
      paging: { total: 1 },
      issues: [{ rule: "a", component: "b", type: "VULNERABILITY", severity: "MAJOR", status: "OPEN" }],
    },
    clean: { paging: { total: 0 }, issues: [], components: [] },
  },
  bandit: {
    findings: {
      generated_at: "2026-01-05T10:00:00Z",
      errors: [],
      metrics: { _totals: { loc: 9 } },
      results: [{ test_id: "B1", issue_severity: "HIGH" }],
    },
    clean: { generated_at: "2026-01-05T10:00:00Z", errors: [], metrics: { _totals: { loc: 9 } }, results: [] },
  },
  gosec: {
    findings: {
      "Golang errors": {},
      Issues: [{ severity: "HIGH", rule_id: "G204", file: "a.go" }],
      Stats: { files: 1 },
    },
    clean: { "Golang errors": {}, Issues: [], Stats: { files: 1 } },
  },
  "zap-json": {
    findings: {
      "@programName": "ZAP",
      "@version": "2.16.0",
      site: [{ "@name": "https://shop.example", alerts: [{ riskcode: "2", confidence: "2" }] }],
    },
    clean: { "@programName": "ZAP", "@version": "2.16.0", site: [{ "@name": "https://shop.example", alerts: [] }] },
  },
  "zap-xml": {
    findings: `<OWASPZAPReport version="2.16.0"><site name="x"><alerts><alertitem><riskcode>2</riskcode></alertitem></alerts></site></OWASPZAPReport>`,
    clean: `<OWASPZAPReport version="2.16.0"><site name="x"><alerts/></site></OWASPZAPReport>`,
  },
  nuclei: { findings: lines({ "template-id": "a", info: { severity: "high" } }) },
  gitleaks: {
    findings: [{ RuleID: "a", Description: "Key", File: "a.env", StartLine: 1, Secret: "x", Match: "x" }],
    "of version 7": [{ rule: "Key", file: "a.env", lineNumber: 1, offender: "x", line: "x" }],
  },
  trufflehog: {
    findings: lines({ DetectorName: "AWS", Raw: "x", SourceMetadata: { Data: { Filesystem: { file: "a.tf" } } } }),
    clean: lines({ level: "info-0", logger: "trufflehog", msg: "finished scanning", chunks: 7 }),
  },
  "detect-secrets": {
    findings: {
      version: "1.5.0",
      plugins_used: [{ name: "AWSKeyDetector" }],
      results: { "a.tf": [{ type: "AWS Access Key", line_number: 3 }] },
    },
    clean: { version: "1.5.0", plugins_used: [{ name: "AWSKeyDetector" }], results: {} },
  },
  checkov: {
    findings: {
      check_type: "terraform",
      results: { failed_checks: [{ check_id: "CKV_AWS_18", file_path: "/main.tf", severity: "HIGH" }] },
      summary: { failed: 1, checkov_version: "3.2.400" },
    },
    clean: {
      check_type: "terraform",
      results: { failed_checks: [] },
      summary: { passed: 3, failed: 0, checkov_version: "3.2.400" },
    },
    "nothing to check": { passed: 0, failed: 0, checkov_version: "3.2.400" },
  },
  kics: {
    findings: {
      kics_version: "v2.1.3",
      files_scanned: 1,
      queries: [{ query_name: "Public", severity: "HIGH", files: [{ file_name: "main.tf", line: 3 }] }],
    },
    clean: { kics_version: "v2.1.3", files_scanned: 1, queries_total: 9, queries: [] },
    "nothing scanned": { kics_version: "v2.1.3", files_scanned: 0, queries: [] },
  },
  tfsec: {
    findings: { results: [{ rule_id: "aws-x", severity: "LOW", location: { filename: "a.tf" } }] },
  },
  lcov: { half: "TN:\nSF:a.ts\nDA:1,1\nDA:2,0\nend_of_record\n" },
  cobertura: { half: xmlCoverage('coverage line-rate="0.5" lines-covered="1" lines-valid="2"', "<packages/>") },
  jacoco: {
    half: xmlCoverage(
      'report name="a"',
      '<package name="a"><sourcefile name="a"><line nr="1" ci="1" mi="0"/></sourcefile></package><counter type="LINE" missed="1" covered="1"/>',
    ),
  },
  "istanbul-summary": { half: { total: { lines: { total: 2, covered: 1, skipped: 0, pct: 50 } } } },
  clover: {
    half: xmlCoverage('coverage generated="1"', '<project><metrics statements="2" coveredstatements="1"/></project>'),
  },
  "go-cover": { half: "mode: set\na.go:1.1,2.2 1 1\na.go:3.1,4.2 1 0\n" },
  "k6-summary-export": { run: k6((values) => values) },
  "k6-handle-summary": { run: k6((values) => ({ type: "rate", contains: "default", values })) },
  "k6-machine-readable": {
    run: {
      version: "1.0.0",
      config: { script: "load.js" },
      metadata: { k6Version: "1.5.0" },
      results: {
        metrics: [
          { name: "http_req_failed", type: "rate", values: { rate: 0.1, matches: 1, total: 10 } },
          { name: "http_req_duration", type: "trend", values: { avg: 1, "p(95)": 9 } },
        ],
      },
    },
  },
  "jmeter-jtl": {
    run: "timeStamp,elapsed,label,responseCode,responseMessage,success\n1760000000000,9,a,200,OK,true\n",
  },
  "jmeter-statistics": {
    run: { Total: { transaction: "Total", sampleCount: 8, errorCount: 2, errorPct: 25, pct2ResTime: 240.5 } },
  },
  "gatling-stats": {
    run: {
      type: "GROUP",
      name: "All Requests",
      stats: {
        name: "All Requests",
        numberOfRequests: { total: 10, ok: 9, ko: 1 },
        percentiles3: { total: 9, ok: 9, ko: 9 },
      },
    },
  },
  "locust-stats": {
    run: "Type,Name,Request Count,Failure Count,Median Response Time,95%\nGET,/,10,1,5,9\n,Aggregated,10,1,5,9\n",
  },
  artillery: {
    run: {
      aggregate: {
        counters: { "http.requests": 10, "http.responses": 10, "http.codes.200": 10 },
        summaries: { "http.response_time": { p95: 9 } },
      },
      intermediate: [],
    },
  },
  spotbugs: {
    bugs: '<BugCollection version="4.8.3"><BugInstance type="XSS" priority="1" category="SECURITY"/></BugCollection>\n',
    clean:
      '<BugCollection version="4.8.3"><Project><Plugin id="com.h3xstream.findsecbugs"/></Project><FindBugsSummary total_classes="7"/></BugCollection>\n',
  },
  brakeman: {
    warnings: { scan_info: { app_path: "/shop" }, warnings: [{ warning_type: "SQL", confidence: "High" }] },
    clean: { scan_info: { app_path: "/shop", number_of_controllers: 3 }, warnings: [] },
  },
  burp: { issues: '<issues burpVersion="2026.4"><issue><severity>High</severity></issue></issues>\n' },
  gitlab: {
    sast: gitlab("sast", { file: "a.ts", start_line: 1 }),
    secrets: gitlab("secret_detection", { file: ".env", start_line: 1 }),
    container: gitlab("container_scanning", { image: "cart" }),
    dependencies: gitlab("dependency_scanning", { file: "pom.xml" }),
    fuzzing: gitlab("coverage_fuzzing", { crash_type: "overflow" }),
    clean: { ...gitlab("sast", {}), vulnerabilities: [] },
    "clean, of schema 2": { version: "2.3", vulnerabilities: [], remediations: [] },
  },
  cyclonedx: {
    "an image": {
      bomFormat: "CycloneDX",
      metadata: { component: { type: "container" } },
      vulnerabilities: [{ id: "CVE-1", ratings: [{ severity: "high" }] }],
    },
    "an application": {
      bomFormat: "CycloneDX",
      metadata: { component: { type: "application" } },
      vulnerabilities: [{ id: "CVE-1", ratings: [{ severity: "high" }] }],
    },
    "an inventory with an empty list": {
      bomFormat: "CycloneDX",
      metadata: { component: { type: "application" } },
      components: [{ type: "library", name: "zlib" }],
      vulnerabilities: [],
    },
  },
  "istanbul-final": {
    run: { "/a.ts": { path: "/a.ts", statementMap: { 0: { start: { line: 1 } } }, s: { 0: 1 } } },
  },
  simplecov: { run: { RSpec: { coverage: { "/a.rb": { lines: [1, 0, null] } }, timestamp: 1 } } },
  "llvm-cov": {
    half: {
      data: [
        {
          files: [{ filename: "/a.cc", segments: [], summary: { lines: { count: 2, covered: 1, percent: 50 } } }],
          totals: { lines: { count: 2, covered: 1, percent: 50 } },
        },
      ],
      type: "llvm.coverage.json.export",
      version: "3.0.1",
    },
  },
  coveragepy: {
    run: {
      meta: { version: "7.14.1", branch_coverage: false },
      files: { "a.py": { executed_lines: [1], missing_lines: [2] } },
      totals: { covered_lines: 1, num_statements: 2 },
    },
  },
  opencover: {
    run: xmlCoverage("CoverageSession", '<Summary numSequencePoints="2" visitedSequencePoints="1"/>'),
  },
  ...oneOfEachDependencyScanner,
};
