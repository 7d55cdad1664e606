import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seenTools } from "../test/support/seen-tools.ts";
import {
  type FindingKind,
  formats,
  type Problem,
  type Reading,
  type ReadOptions,
  ReportError,
  type ReportMetric,
  readReport,
} from "./index.ts";

const samples = new URL("../../../../shared/samples/dev/", import.meta.url);

/** What a file should give; which members there are depends on its folder. */
type Expected = Readonly<Record<string, unknown>>;

/** The folders that are not called as their format, apart from a `json` or the like at the end. */
const formatsByFolder: Readonly<Record<string, string>> = {
  cyclonedx_vulnerabilities: "cyclonedx",
  dependency_check: "dependency-check-json",
  gitlab_container_scanning: "gitlab",
  gitlab_dast: "gitlab",
  gitlab_dependency_scanning: "gitlab",
  gitlab_sast: "gitlab",
  gitlab_secret_detection: "gitlab",
  gitleaks_sarif: "sarif",
  gitleaks_v7_json: "gitleaks",
  gitleaks_v8_json: "gitleaks",
  nuclei_jsonl: "nuclei",
  simplecov_resultset: "simplecov",
  sonarqube_issues: "sonarqube",
  trivy_secrets: "trivy",
  trufflehog_v3_jsonl: "trufflehog",
};

/** The formats whose reports the caller has to name when nothing was found. */
const mustBeNamed = ["trivy", "nuclei", "tfsec", "gitleaks", "trufflehog", "osv-scanner"];

/** What the caller has to say of a report that can be about several things, or is made for none, by folder. */
const metrics: Readonly<Record<string, ReportMetric>> = {
  cyclonedx_vulnerabilities: "image_scan",
  dependency_check: "sast",
  gitlab_container_scanning: "image_scan",
  gitlab_dast: "dast",
  gitlab_dependency_scanning: "sast",
  gitlab_sast: "sast",
  gitlab_secret_detection: "secret_scan",
  govulncheck_json: "sast",
  npm_audit: "sast",
  osv_scanner_json: "sast",
  pip_audit_json: "sast",
  safety_json: "sast",
  snyk_json: "image_scan",
  trivy_json: "image_scan",
  trivy_secrets: "image_scan",
};

/** What of a report of several kinds is expected, by folder. */
const kinds: Readonly<Record<string, FindingKind>> = {
  checkov_json: "findings",
  tfsec_json: "findings",
  kics_json: "findings",
  trivy_json: "vulnerabilities",
};

/**
 * Of these the counts are compared as they are taken on the caller's word: tools that look for several kinds of findings
 * and do not write which, and reports of nothing.
 */
const unproven = [
  "trivy_",
  "checkov_",
  "kics_",
  "bandit_json/dd_no_vuln.json",
  "cyclonedx_vulnerabilities/scb_trivy_0.45.0_zero.json",
  "dependency_check/dd_empty.xml",
  "gitlab_sast/dd_v2.3_no_scan_zero.json",
  "semgrep_json/dd_empty.json",
  "snyk_json/dd_single_project_no_vulns.json",
  "spotbugs_xml/dd_version_4.4.0_no_security.xml",
  "spotbugs_xml/team4156_clean.xml",
];

const files: Readonly<Record<string, Expected>> = existsSync(samples)
  ? JSON.parse(readFileSync(new URL("expected-2.json", samples), "utf8")).files
  : {};

const folderOf = (path: string) => path.slice(0, path.indexOf("/"));

/** The name of the format of a folder; undefined when it is not read. */
function formatOf(folder: string): string | undefined {
  const name = folder.replaceAll("_", "-");
  const candidates = [
    formatsByFolder[folder],
    name,
    name.replace(/-(json|xml|csv|jsonl)$/, ""),
    name.replace(/-csv$/, ""),
  ];
  return candidates.find((candidate) => formats.some((format) => format.name === candidate));
}

describe.skipIf(!existsSync(samples))("reports that real tools wrote", () => {
  const known = Object.entries(files).filter(([path]) => formatOf(folderOf(path)));
  test.each(known)("%s", (path, expected) => {
    const read = (options: ReadOptions) => readReport(readFileSync(new URL(path, samples)), options);
    const format = formatOf(folderOf(path)) ?? "";
    const options = mustBeNamed.includes(format) ? { format } : {};
    const isNothing = [expected.line_pct, expected.error_rate, expected.p95_ms].includes(null);
    if (isNothing) expect(() => read(options)).toThrow(ReportError);
    else compare(read, options, expected, path);
    if (expected.measured)
      compareProof(read, options, expected.measured as { vulnerabilities: boolean; secrets: boolean });
  });

  const misfits = Object.entries(files).filter(([, { expect: outcome }]) => outcome === "reject");
  test.each(misfits)("%s is refused", (path) => {
    const report = readFileSync(new URL(path, samples));
    for (const options of [{}, { assumeScanned: true }, { for: "problem", assumeScanned: true }] as const) {
      expect(() => readReport(report, options)).toThrow(ReportError);
    }
  });

  test("of every tool and version of the table of formats", () => {
    const seen = new Set<string>();
    for (const path of Object.keys(files)) {
      const { [folderOf(path)]: metric } = metrics;
      const { [folderOf(path)]: kind } = kinds;
      const asked: ReadOptions = metric ? { metric } : kind ? { for: "problem", kind } : {};
      try {
        const { format, tool } = readReport(readFileSync(new URL(path, samples)), { ...asked, assumeScanned: true });
        for (const each of tool?.split(", ") ?? []) seen.add(`${format}: ${each}`);
      } catch (error) {
        if (!(error instanceof ReportError)) throw error;
      }
    }
    const listed = Object.entries(seenTools).flatMap(([format, tools]) => tools.map((tool) => `${format}: ${tool}`));
    expect(listed.filter((each) => !seen.has(each))).toEqual([]);
  });

  const folders = [...new Set(Object.keys(files).map(folderOf))];
  const unread = folders.filter((folder) => folder !== "misfits" && !formatOf(folder));
  test.each(unread)("%s is not read yet, and not taken for anything else", (folder) => {
    for (const path of Object.keys(files).filter((each) => folderOf(each) === folder)) {
      expect(() => readReport(readFileSync(new URL(path, samples)))).toThrow(ReportError);
    }
  });
});

type Read = (options: ReadOptions) => Reading;

/** What the report shows to have been looked for is taken, and nothing else. */
function compareProof(read: Read, options: ReadOptions, shown: { vulnerabilities: boolean; secrets: boolean }): void {
  for (const [metric, isShown] of [
    ["image_scan", shown.vulnerabilities],
    ["secret_scan", shown.secrets],
  ] as const) {
    const kind = metric === "image_scan" ? "vulnerabilities" : "secrets";
    for (const asked of [{ metric }, { for: "problem", kind }] as const) {
      if (isShown) expect(read({ ...options, ...asked }).evidence).toBeTypeOf("string");
      else {
        expect(() => read({ ...options, ...asked })).toThrow(expect.objectContaining({ code: "nothing-measured" }));
        expect(read({ ...options, ...asked, assumeScanned: true })).toMatchObject({ assumed: { scanned: true } });
      }
    }
  }
}

function compare(read: Read, options: ReadOptions, expected: Expected, path: string): void {
  const folder = folderOf(path);
  const word = unproven.some((each) => path.startsWith(each)) ? { assumeScanned: true } : {};
  const problemOf = (kind: FindingKind): Problem | undefined => {
    const lists = formats.find(({ name }) => name === formatOf(folder))?.problems?.includes(kind);
    return lists ? read({ ...options, for: "problem", kind, ...word }).problem : undefined;
  };
  const metric = metrics[folder];
  const isListed = "count" in expected || folder in kinds;
  const reading = read({
    ...options,
    ...word,
    ...(metric && { metric }),
    ...(isListed && !metric && { for: "problem" }),
  });
  const problem = isListed ? problemOf(kinds[folder] ?? "secrets") : undefined;
  const secrets = "secrets" in expected ? problemOf("secrets") : undefined;
  const seen: Seen = { reading, problem, secrets, expected };
  for (const [field, value] of Object.entries(expected)) {
    const found = fields[field]?.(seen);
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

interface Seen {
  readonly reading: Reading;
  readonly problem: Problem | undefined;
  readonly secrets: Problem | undefined;
  readonly expected: Expected;
}

const rounded = (value: number | boolean | undefined, digits: number) =>
  typeof value === "number" ? Number(value.toFixed(digits)) : value;

/** How a field of the expectation is found in a reading. */
const fields: Readonly<Record<string, (seen: Seen) => unknown>> = {
  critical: ({ reading: { severities } }) => severities?.critical,
  high: ({ reading: { severities } }) => severities?.high,
  medium: ({ reading: { severities } }) => severities?.medium,
  // Grype's Negligible stands apart there, and is low here.
  low: ({ reading: { severities }, expected: { negligible = 0 } }) => severities && severities.low - Number(negligible),
  unknown: ({ reading: { severities } }) => severities?.unknown,
  info: ({ reading: { severities } }) => severities?.info,
  failed: ({ problem }) => problem?.count,
  secrets: ({ secrets }) => secrets?.count,
  covered: ({ reading: { coverage } }) => coverage?.covered,
  total: ({ reading: { coverage } }) => coverage?.total,
  line_pct: ({ reading: { metrics } }) => rounded(metrics.unit_coverage?.coverage_pct, 4),
  error_rate: ({ reading: { metrics } }) => rounded(metrics.stress_test?.error_rate, 8),
  p95_ms: ({ reading: { metrics } }) => rounded(metrics.stress_test?.p95_ms, 4),
  checks_pct: ({ reading: { metrics } }) => rounded(metrics.stress_test?.checks_pct, 4),
};
