/** The report of a tool, as the recipe under its heading has it written. */
export interface Recipe {
  /** The program that writes it. */
  readonly tool: string;
  /** Where; without it, to standard output. */
  readonly file?: string;
  /** How the tool ends, when that is not 0. */
  readonly exit?: number;
  /** A text, or what is written as JSON. */
  readonly report: unknown;
  /** What is stored: metric → raw values. */
  readonly scores?: Readonly<Record<string, object>>;
  /** And the problem. */
  readonly problem?: object;
}

const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const sarif = (name: string, ruleId: string) => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name, rules: [{ id: ruleId, properties: { "security-severity": "8.1" } }] } },
      results: [
        {
          ruleId,
          message: { text: "Built from input" },
          locations: [{ physicalLocation: { artifactLocation: { uri: "src/cart.ts" }, region: { startLine: 7 } } }],
        },
      ],
    },
  ],
});

const leaks = (file: string, line: number) => ({
  scores: { secret_scan: { found: true, count: 1 } },
  problem: { problem_type: "repository_secret", severity: "high", count: 1, details: [{ file, line }] },
});

const half = { coverage_pct: 50, covered: 2, total: 4 };
const load = { error_rate: 0.25, p95_ms: 240, checks_pct: 75 };

/** By the headings of docs/recipes.md. */
export const recipes: Readonly<Record<string, Recipe>> = {
  Trivy: {
    tool: "trivy",
    file: "trivy.json",
    report: {
      SchemaVersion: 2,
      ArtifactName: "registry.example.com/shop/cart:latest",
      ArtifactType: "container_image",
      Results: [
        {
          Target: "cart (debian 12.7)",
          Class: "os-pkgs",
          Type: "debian",
          Vulnerabilities: [
            { VulnerabilityID: "CVE-2026-0001", PkgName: "openssl", Severity: "HIGH" },
            { VulnerabilityID: "CVE-2026-0002", PkgName: "zlib1g", Severity: "MEDIUM" },
          ],
        },
      ],
    },
    scores: { image_scan: { critical: 0, high: 1, medium: 1 } },
  },
  Grype: {
    tool: "grype",
    file: "grype.json",
    report: {
      matches: [{ vulnerability: { id: "CVE-2026-0001", severity: "High" }, artifact: { name: "openssl" } }],
      source: { type: "image" },
      descriptor: { name: "grype", version: "0.96.0" },
    },
    scores: { image_scan: { critical: 0, high: 1, medium: 0 } },
  },
  Snyk: {
    tool: "snyk",
    file: "snyk.json",
    exit: 1,
    report: {
      vulnerabilities: [{ id: "SNYK-DEBIAN12-OPENSSL-1", severity: "critical", packageManager: "debian:12" }],
      ok: false,
      dependencyCount: 90,
      packageManager: "deb",
      path: "registry.example.com/shop/cart:latest",
    },
    scores: { image_scan: { critical: 1, high: 0, medium: 0 } },
  },
  Semgrep: {
    tool: "semgrep",
    file: "semgrep.json",
    report: {
      version: "1.150.0",
      results: [{ check_id: "sql", path: "src/cart.py", start: { line: 4 }, extra: { severity: "ERROR" } }],
      errors: [],
      paths: { scanned: ["src/cart.py"] },
    },
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  "SARIF of Semgrep": {
    tool: "semgrep",
    file: "semgrep.sarif",
    report: sarif("Semgrep OSS", "python.sql"),
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  "SARIF of CodeQL": {
    tool: "codeql",
    file: "codeql.sarif",
    report: sarif("CodeQL", "js/sql-injection"),
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  SonarQube: {
    tool: "curl",
    file: "sonarqube.json",
    report: {
      paging: { pageIndex: 1, pageSize: 500, total: 1 },
      issues: [
        { rule: "python:S2077", severity: "MAJOR", type: "VULNERABILITY", status: "OPEN", component: "cart:a.py" },
      ],
    },
    scores: { sast: { critical: 0, high: 0, medium: 1 } },
  },
  Bandit: {
    tool: "bandit",
    file: "bandit.json",
    report: {
      errors: [],
      metrics: { _totals: { loc: 120 } },
      results: [{ test_id: "B602", filename: "src/run.py", issue_severity: "HIGH", issue_confidence: "HIGH" }],
    },
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  gosec: {
    tool: "gosec",
    file: "gosec.json",
    report: {
      "Golang errors": {},
      Issues: [{ severity: "MEDIUM", confidence: "HIGH", rule_id: "G204", file: "/src/run.go", line: "9" }],
      Stats: { files: 4, lines: 200, nosec: 0, found: 1 },
      GosecVersion: "2.22.0",
    },
    scores: { sast: { critical: 0, high: 0, medium: 1 } },
  },
  ZAP: {
    tool: "docker",
    file: "zap.json",
    report: {
      "@programName": "ZAP",
      "@version": "2.16.0",
      site: [
        {
          "@name": "https://cart.staging.example.com",
          alerts: [
            { pluginid: "10038", alert: "CSP not set", riskcode: "2", confidence: "3", instances: [], count: "3" },
          ],
        },
      ],
    },
    scores: { dast: { high: 0, medium: 1 } },
  },
  Nuclei: {
    tool: "nuclei",
    report: "",
    scores: { dast: { high: 0, medium: 0 } },
  },
  gitleaks: {
    tool: "gitleaks",
    file: "gitleaks.json",
    report: [
      { RuleID: "aws-access-token", Description: "AWS", StartLine: 3, File: "main.tf", Secret: "x", Match: "x" },
    ],
    ...leaks("main.tf", 3),
  },
  TruffleHog: {
    tool: "trufflehog",
    report: lines({
      SourceMetadata: { Data: { Filesystem: { file: "main.tf", line: 3 } } },
      DetectorName: "AWS",
      Verified: false,
      Raw: "x",
    }),
    ...leaks("main.tf", 3),
  },
  "detect-secrets": {
    tool: "detect-secrets",
    report: {
      version: "1.5.0",
      plugins_used: [{ name: "AWSKeyDetector" }],
      results: { "main.tf": [{ type: "AWS Access Key", filename: "main.tf", hashed_secret: "0", line_number: 3 }] },
    },
    ...leaks("main.tf", 3),
  },
  "Trivy secrets": {
    tool: "trivy",
    file: "trivy-secrets.json",
    report: {
      SchemaVersion: 2,
      ArtifactName: ".",
      ArtifactType: "filesystem",
      Results: [
        {
          Target: "main.tf",
          Class: "secret",
          Secrets: [{ RuleID: "aws-access-key-id", Severity: "HIGH", Title: "AWS Access Key ID", StartLine: 3 }],
        },
      ],
    },
    ...leaks("main.tf", 3),
  },
  Checkov: {
    tool: "checkov",
    report: {
      check_type: "terraform",
      results: {
        failed_checks: [
          { check_id: "CKV_AWS_18", check_name: "S3 access logging", file_path: "/main.tf", file_line_range: [1, 4] },
        ],
      },
      summary: { passed: 3, failed: 1, checkov_version: "3.2.400" },
    },
    problem: {
      problem_type: "misconfiguration",
      severity: "medium",
      count: 1,
      details: [{ file: "/main.tf", line: 1 }],
    },
  },
  KICS: {
    tool: "docker",
    file: "kics.json",
    report: {
      kics_version: "v2.1.3",
      files_scanned: 1,
      queries_total: 100,
      severity_counters: { HIGH: 1 },
      queries: [{ query_name: "Public bucket", severity: "HIGH", files: [{ file_name: "main.tf", line: 3 }] }],
    },
    problem: { problem_type: "misconfiguration", severity: "high", count: 1, details: [{ file: "main.tf", line: 3 }] },
  },
  tfsec: {
    tool: "tfsec",
    file: "tfsec.json",
    report: { results: null },
    problem: { problem_type: "misconfiguration", count: 0, details: [] },
  },
  LCOV: {
    tool: "npx",
    file: "coverage/lcov.info",
    report: "TN:\nSF:src/cart.ts\nDA:1,4\nDA:2,4\nDA:3,0\nDA:4,0\nLF:4\nLH:2\nend_of_record\n",
    scores: { unit_coverage: half },
  },
  Cobertura: {
    tool: "pytest",
    file: "coverage.xml",
    report:
      '<?xml version="1.0"?><coverage line-rate="0.5" lines-covered="2" lines-valid="4" version="7.6"><packages/></coverage>',
    scores: { unit_coverage: half },
  },
  JaCoCo: {
    tool: "mvn",
    file: "target/site/jacoco/jacoco.xml",
    report:
      '<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="cart"><counter type="LINE" missed="2" covered="2"/></report>',
    scores: { unit_coverage: half },
  },
  Istanbul: {
    tool: "npx",
    file: "coverage/coverage-summary.json",
    report: {
      total: Object.fromEntries(
        ["lines", "statements", "functions", "branches"].map((unit) => [
          unit,
          { total: 4, covered: 2, skipped: 0, pct: 50 },
        ]),
      ),
    },
    scores: { unit_coverage: half },
  },
  Clover: {
    tool: "vendor/bin/phpunit",
    file: "clover.xml",
    report:
      '<?xml version="1.0"?><coverage generated="1"><project timestamp="1"><metrics statements="4" coveredstatements="2"/></project></coverage>',
    scores: { unit_coverage: half },
  },
  Go: {
    tool: "go",
    file: "cover.out",
    report: "mode: set\nexample.com/cart/cart.go:5.20,8.2 2 1\nexample.com/cart/cart.go:9.20,12.2 2 0\n",
    scores: { unit_coverage: half },
  },
  k6: {
    tool: "k6",
    file: "k6.json",
    exit: 99,
    report: {
      root_group: { name: "", path: "", groups: {}, checks: {} },
      metrics: {
        http_reqs: { count: 8, rate: 2 },
        http_req_failed: { passes: 2, fails: 6, value: 0.25 },
        http_req_duration: { avg: 110, "p(95)": 240 },
        checks: { passes: 3, fails: 1, value: 0.75 },
      },
    },
    scores: { stress_test: load },
  },
  JMeter: {
    tool: "jmeter",
    file: "jmeter.jtl",
    report: `timeStamp,elapsed,label,responseCode,success
1,240,GET /,200,true
2,100,GET /,500,false
3,110,GET /,200,true
4,120,GET /,200,true
`,
    scores: { stress_test: load },
  },
  Gatling: {
    tool: "mvn",
    file: "target/gatling/load-20261120/js/stats.json",
    report: {
      type: "GROUP",
      name: "All Requests",
      stats: { name: "All Requests", numberOfRequests: { total: 8, ok: 6, ko: 2 }, percentiles3: { total: 240 } },
      contents: {},
    },
    scores: { stress_test: load },
  },
  Locust: {
    tool: "locust",
    file: "locust_stats.csv",
    report: "Type,Name,Request Count,Failure Count,95%\nGET,/,8,2,240\n,Aggregated,8,2,240\n",
    scores: { stress_test: load },
  },
  Artillery: {
    tool: "npx",
    file: "artillery.json",
    report: {
      aggregate: {
        counters: { "http.requests": 8, "http.responses": 8, "http.codes.200": 6, "http.codes.503": 2 },
        summaries: { "http.response_time": { p95: 240 } },
      },
      intermediate: [],
    },
    scores: { stress_test: load },
  },
};
