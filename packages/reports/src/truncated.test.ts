import { describe, expect, test } from "vitest";
import { formats, ReportError, readReport } from "./index.ts";

/** Reports that state more findings than they list. The others were lost, or cut away. */

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const many = <Entry>(count: number, entry: (at: number) => Entry) =>
  Array.from({ length: count }, (_, at) => entry(at));
const packages = (count: number) => Object.fromEntries(many(count, (at) => [`package-${at}`, { severity: "low" }]));
const totals = (high: number, low: number) => ({
  loc: 99,
  "SEVERITY.HIGH": high,
  "SEVERITY.LOW": low,
  "CONFIDENCE.HIGH": high,
  "CONFIDENCE.LOW": low,
});
const issue = (rank: string) => ({ test_id: "B101", issue_severity: rank, issue_confidence: rank });

/** A report that states a number of findings and lists another, by the format. */
const stating: Readonly<Record<string, (stated: number, listed: number) => unknown>> = {
  bandit: (stated, listed) => ({
    generated_at: "2026-01-05",
    metrics: { _totals: totals(stated, 0) },
    results: many(listed, () => issue("HIGH")),
  }),
  brakeman: (stated, listed) => ({
    scan_info: { app_path: "/shop", number_of_models: 3, security_warnings: stated },
    warnings: many(listed, () => ({ confidence: "High" })),
  }),
  checkov: (stated, listed) => ({
    check_type: "secrets",
    results: { failed_checks: many(listed, () => ({ check_id: "CKV_SECRET_6" })) },
    summary: { failed: stated, checkov_version: "3.2.400" },
  }),
  gosec: (stated, listed) => ({
    Issues: many(listed, () => ({ severity: "HIGH", rule_id: "G204" })),
    Stats: { files: 3, found: stated },
  }),
  kics: (stated, listed) => ({
    kics_version: "v2.1.3",
    files_scanned: 3,
    queries: [
      {
        query_name: "Passwords And Secrets - AWS",
        severity: "HIGH",
        files: many(listed, (line) => ({ file_name: "a.tf", line })),
      },
    ],
    total_counter: stated,
  }),
  "npm-audit": (stated, listed) => ({
    auditReportVersion: 2,
    vulnerabilities: packages(listed),
    metadata: { vulnerabilities: { total: stated }, dependencies: { total: 99 } },
  }),
  safety: (stated, listed) => ({
    report_meta: { packages_found: 99, vulnerabilities_found: stated },
    vulnerabilities: many(listed, () => ({ severity: null })),
  }),
  snyk: (stated, listed) => ({
    ok: listed === 0,
    packageManager: "deb",
    dependencyCount: 101,
    uniqueCount: stated,
    vulnerabilities: many(listed, (at) => ({ id: `SNYK-${at}`, severity: "high" })),
  }),
  sonarqube: (stated, listed) => ({
    paging: { total: stated },
    issues: many(listed, (key) => ({ key: `${key}`, rule: "a", component: "b", type: "VULNERABILITY" })),
    components: [],
  }),
  trufflehog: (stated, listed) =>
    lines(...many(listed, () => ({ DetectorName: "AWS", Raw: "x" })), {
      level: "info-0",
      logger: "trufflehog",
      msg: "finished scanning",
      chunks: 9,
      verified_secrets: 0,
      unverified_secrets: stated,
    }),
};

/** Why a report of the other formats can state no more than it lists. */
const without: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    formats
      .filter(({ metrics }) => metrics.every((metric) => /coverage|stress_test/.test(metric)))
      .map(({ name }) => [name, "lists no findings; contradictions.test.ts compares its figures"]),
  ),
  ...Object.fromEntries(
    ["burp", "cyclonedx", "dependency-check-json", "dependency-check-xml", "detect-secrets", "gitlab", "gitleaks"].map(
      (name) => [name, "states no total"],
    ),
  ),
  ...Object.fromEntries(
    ["govulncheck", "grype", "nuclei", "osv-scanner", "pip-audit", "sarif", "semgrep", "tfsec", "trivy"].map((name) => [
      name,
      "states no total",
    ]),
  ),
  spotbugs: "total_bugs counts equal bugs each, and the list has them once",
  "zap-json": "its counts are of the places of an alert, of which it lists only some",
  "zap-xml": "its counts are of the places of an alert, of which it lists only some",
};

test("of every format it is known whether it states a total", () => {
  expect([...Object.keys(stating), ...Object.keys(without)].sort()).toEqual(formats.map(({ name }) => name).sort());
});

function outcomeOf(report: unknown, format: string) {
  const metric = formats.find(({ name }) => name === format)?.metrics[0];
  try {
    return readReport(
      typeof report === "string" ? report : JSON.stringify(report),
      metric ? { metric, assumeScanned: true } : {},
    );
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

describe.each(Object.entries(stating))("%s", (format, report) => {
  test.each([
    [50, 1],
    [50, 49],
    [2, 1],
    [1, 0],
  ])("that states %i and lists %i is truncated", (stated, listed) => {
    const outcome = outcomeOf(report(stated, listed), format);
    expect(outcome).toMatchObject({ code: "unreadable-report", message: expect.stringContaining(`${stated}`) });
  });

  test.each([0, 1, 50])("that states and lists %i is whole", (count) => {
    expect(outcomeOf(report(count, count), format)).toMatchObject({ format });
  });
});

test.each<[string, object]>([
  [
    "gosec, beside those that are suppressed",
    {
      Issues: [
        { severity: "HIGH", rule_id: "G204" },
        ...many(9, () => ({ rule_id: "G204", suppressions: [{ kind: "inSource" }] })),
      ],
      Stats: { files: 3, found: 2 },
    },
  ],
  [
    "KICS, by severity",
    {
      kics_version: "v2.1.3",
      files_scanned: 3,
      queries: [{ query_name: "Public", severity: "LOW", files: many(9, (line) => ({ file_name: "a.tf", line })) }],
      severity_counters: { HIGH: 1, LOW: 9 },
    },
  ],
  [
    "npm 6, by the paths to an advisory",
    {
      runId: "a",
      actions: [],
      advisories: { 1: { severity: "high", findings: [{ paths: ["a>b", "a>c"] }] } },
      muted: [],
      metadata: { vulnerabilities: { low: 1, high: 2 }, totalDependencies: 9 },
    },
  ],
  [
    "Bandit, above the rank of what is listed",
    {
      generated_at: "2026-01-05",
      metrics: { _totals: totals(7, 30) },
      results: [issue("LOW"), issue("HIGH")],
    },
  ],
])("truncated: %s", (_, report) => {
  const use =
    "kics_version" in report ? ({ for: "problem", kind: "misconfigurations" } as const) : { metric: "sast" as const };
  expect(() => readReport(JSON.stringify(report), use)).toThrow(expect.objectContaining({ code: "unreadable-report" }));
});

test.each<[string, object]>([
  [
    "Bandit, whose option -l leaves the low ones out",
    {
      generated_at: "2026-01-05",
      metrics: { _totals: totals(1, 30) },
      results: [issue("HIGH")],
    },
  ],
  [
    "npm 6, which counts the paths to an advisory",
    {
      runId: "a",
      actions: [],
      advisories: { 1: { severity: "high", findings: [{ paths: ["a>b", "a>c"] }] } },
      muted: [],
      metadata: { vulnerabilities: { high: 2 }, totalDependencies: 9 },
    },
  ],
  [
    "pnpm, which counts advisories that it was set to ignore",
    {
      actions: [],
      advisories: { 1: { severity: "high", findings: [{ paths: ["a>b"] }] } },
      muted: [],
      metadata: { vulnerabilities: { high: 2 }, totalDependencies: 9 },
    },
  ],
])("whole: %s", (_, report) => {
  expect(readReport(JSON.stringify(report), { metric: "sast" }).metrics.sast).toMatchObject({ high: 1 });
});
