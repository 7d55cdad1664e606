import type { Recipe } from "./recipe.ts";

/** By the headings of docs/recipes.md. */
export const dependencyRecipes: Readonly<Record<string, Recipe>> = {
  "npm audit": {
    tool: "npm",
    exit: 1,
    report: {
      auditReportVersion: 2,
      vulnerabilities: { minimist: { name: "minimist", severity: "critical", via: ["mkdirp"] } },
      metadata: { dependencies: { total: 32 } },
    },
    scores: { sast: { critical: 1, high: 0, medium: 0 } },
  },
  Safety: {
    tool: "safety",
    file: "safety.json",
    report: {
      report_meta: { safety_version: "3.7.0", packages_found: 26 },
      scanned_packages: {},
      vulnerabilities: [{ vulnerability_id: "44967", package_name: "flask", severity: null }],
      ignored_vulnerabilities: [],
    },
    scores: { sast: { critical: 0, high: 1, medium: 0, unknown: 0, assumed_severities: 1 } },
  },
  "OWASP dependency-check": {
    tool: "dependency-check",
    file: "dependency-check.json",
    report: {
      reportSchema: "1.1",
      scanInfo: { engineVersion: "12.1.1" },
      dependencies: [{ fileName: "log4j-api.jar", vulnerabilities: [{ name: "CVE-2026-0001", severity: "HIGH" }] }],
    },
    scores: { sast: { critical: 0, high: 1, medium: 0 } },
  },
  "pip-audit": {
    tool: "pip-audit",
    file: "pip-audit.json",
    exit: 1,
    report: { dependencies: [{ name: "flask", version: "0.5", vulns: [{ id: "PYSEC-1" }] }], fixes: [] },
    scores: { sast: { critical: 0, high: 1, medium: 0, unknown: 0, assumed_severities: 1 } },
  },
  "OSV-Scanner": {
    tool: "osv-scanner",
    exit: 1,
    report: {
      results: [
        { source: { path: "package-lock.json" }, packages: [{ groups: [{ ids: ["X"], max_severity: "9.8" }] }] },
      ],
    },
    scores: { sast: { critical: 1, high: 0, medium: 0 } },
  },
  govulncheck: {
    tool: "govulncheck",
    report: [
      { config: { protocol_version: "v1.0.0", scanner_name: "govulncheck", scan_level: "symbol" } },
      { progress: { message: "Scanning your code" } },
      { finding: { osv: "GO-2026-0001", trace: [{ module: "golang.org/x/net", function: "Parse" }] } },
    ]
      .map((message) => `${JSON.stringify(message, null, 2)}\n`)
      .join(""),
    scores: { sast: { critical: 0, high: 1, medium: 0, unknown: 0, assumed_severities: 1 } },
  },
};
