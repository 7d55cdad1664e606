import type { Recipe } from "./recipe.ts";

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

/** By the headings of docs/recipes.md. */
export const scannerRecipes: Readonly<Record<string, Recipe>> = {
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
  CycloneDX: {
    tool: "trivy",
    file: "cyclonedx.json",
    report: {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: { component: { type: "container", name: "registry.example.com/shop/cart:latest" } },
      vulnerabilities: [{ id: "CVE-2026-0001", ratings: [{ severity: "high" }], affects: [{ ref: "openssl" }] }],
    },
    scores: { image_scan: { critical: 0, high: 1, medium: 0 } },
  },
  SpotBugs: {
    tool: "mvn",
    file: "target/spotbugsXml.xml",
    report:
      '<?xml version="1.0"?><BugCollection version="4.8.3"><BugInstance type="XSS_SERVLET" priority="1" category="SECURITY"/></BugCollection>',
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  Brakeman: {
    tool: "brakeman",
    file: "brakeman.json",
    report: {
      scan_info: { app_path: "/shop", number_of_controllers: 3, brakeman_version: "6.1.2" },
      warnings: [{ warning_type: "SQL Injection", file: "app/models/cart.rb", line: 4, confidence: "Medium" }],
      errors: [],
    },
    scores: { sast: { critical: 0, high: 0, medium: 1 } },
  },
  "GitLab analyzers": {
    file: "gl-sast-report.json",
    report: {
      version: "15.1.4",
      vulnerabilities: [
        { name: "SQL injection", severity: "High", location: { file: "src/cart.ts", start_line: 7 }, identifiers: [] },
      ],
      scan: { scanner: { id: "semgrep", name: "Semgrep", version: "1.118.0" }, type: "sast", status: "success" },
    },
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  "Burp Suite": {
    file: "burp.xml",
    report: '<?xml version="1.0"?><issues burpVersion="2026.4"><issue><severity>Medium</severity></issue></issues>',
    scores: { dast: { high: 0, medium: 1 } },
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
};
