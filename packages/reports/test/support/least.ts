import type { ReadOptions } from "../../src/index.ts";
import { type Least, leastOfTests } from "./least-of-tests.ts";

const sast: ReadOptions = { metric: "sast" };
const image: ReadOptions = { metric: "image_scan" };
const secrets: ReadOptions = { metric: "secret_scan" };
const dast: ReadOptions = { metric: "dast" };
const problem: ReadOptions = { for: "problem" };

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const ofTrivy = (...results: readonly object[]) => ({
  SchemaVersion: 2,
  ArtifactName: "cart",
  ArtifactType: "container_image",
  Results: results,
});
const sarif = (name: string, others: object = {}) => ({
  version: "2.1.0",
  runs: [{ tool: { driver: { name } }, results: [], ...others }],
});
const checkov = (summary: object) => ({
  check_type: "terraform",
  results: { failed_checks: [] },
  summary: { passed: 0, failed: 0, ...summary },
});
const gitlab = (scan: object) => ({ version: "15.1.4", scan: { type: "sast", ...scan }, vulnerabilities: [] });
const config = { config: { scanner_name: "govulncheck" } };
const log = (others: object) => lines({ level: "info-0", logger: "trufflehog", ...others });
const zap = (site: unknown) => ({ "@programName": "ZAP", "@version": "2.16.0", site });
const brakeman = (others: object) => ({ scan_info: { app_path: "/shop", ...others }, warnings: [] });
const dependencyCheckXml = (inner: string) =>
  `<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd">${inner}</analysis>`;

/** Of every format. */
export const leastOf: Readonly<Record<string, Least>> = {
  ...leastOfTests,
  trivy: {
    clean: ofTrivy({ Target: "cart (alpine 3.20)", Class: "os-pkgs", Type: "alpine" }),
    options: image,
    others: {
      "packages that a scan for secrets lists": ofTrivy({ Target: "a", Class: "os-pkgs", Packages: [{ Name: "a" }] }),
      "an image of which nothing is known": ofTrivy(),
      "a check of configurations": ofTrivy({ Target: "Dockerfile", Class: "config", MisconfSummary: { Successes: 9 } }),
      "a scan for licenses": ofTrivy({ Target: "OS Packages", Class: "license" }),
    },
  },
  grype: {
    clean: { matches: [], source: { type: "image" }, descriptor: { name: "grype" } },
    options: image,
    others: {
      "the inventory of Syft": { artifacts: [], source: { type: "image" }, descriptor: { name: "syft" } },
      "matches of any tool": { matches: [], source: { type: "image" }, distro: {} },
      "a report without its source": { matches: [], descriptor: { name: "grype" } },
    },
  },
  snyk: {
    clean: { ok: true, dependencyCount: 9, packageManager: "deb", vulnerabilities: [] },
    options: image,
    others: {
      "a project without dependencies": { ok: true, dependencyCount: 0, vulnerabilities: [] },
      "an answer of an API": { ok: true, vulnerabilities: [] },
      "an error": { ok: false, error: "no such image" },
    },
  },
  cyclonedx: {
    options: image,
    others: {
      "an inventory with an empty list": {
        bomFormat: "CycloneDX",
        metadata: { component: { type: "container" } },
        components: [{ name: "zlib" }],
        vulnerabilities: [],
      },
      "VEX of what does no harm": {
        bomFormat: "CycloneDX",
        vulnerabilities: [{ id: "CVE-1", analysis: { state: "not_affected" } }],
      },
      "an inventory": { bomFormat: "CycloneDX", components: [{ name: "zlib" }] },
    },
  },
  sarif: {
    clean: sarif("CodeQL"),
    options: { for: "score" },
    others: {
      "a linter": sarif("ESLint"),
      "a formatter": sarif("prettier"),
      "a scanner of networks": sarif("nmap"),
      "a scanner of dependencies": sarif("dependency-check"),
      "a run without known results": sarif("CodeQL", { results: null }),
      "rules alone": sarif("CodeQL", { results: undefined }),
      "results in another file": sarif("CodeQL", { externalPropertyFileReferences: { results: [{}] } }),
      "no run": { version: "2.1.0", runs: [] },
    },
  },
  semgrep: {
    clean: { errors: [], results: [], paths: { scanned: ["a.py"] } },
    options: sast,
    others: {
      "a scan of no file": { errors: [], results: [], paths: { scanned: [] } },
      "results and errors of any tool": { errors: [], results: [] },
    },
  },
  sonarqube: {
    clean: { paging: { total: 0 }, issues: [], components: [] },
    options: sast,
    others: {
      "a search in an issue tracker": { total: 0, issues: [], startAt: 0, maxResults: 50 },
      "components with their issues": { issues: [], components: [] },
    },
  },
  bandit: {
    clean: { generated_at: "2026-01-05T10:00:00Z", metrics: { _totals: { loc: 9 } }, results: [] },
    options: sast,
    others: {
      "a scan of no line": { generated_at: "2026-01-05", metrics: { _totals: { loc: 0 } }, results: [] },
      "metrics of any tool": { generated_at: "2026-01-05", metrics: {}, results: [] },
    },
  },
  gosec: {
    clean: { Issues: [], Stats: { files: 1 } },
    options: sast,
    others: {
      "a scan of no file": { Issues: [], Stats: { files: 0 } },
      "statistics of any tool": { Issues: [], Stats: {} },
    },
  },
  brakeman: {
    clean: brakeman({ number_of_controllers: 1 }),
    options: sast,
    others: {
      "an application without parts": brakeman({ number_of_controllers: 0 }),
      "a run without checks": brakeman({ number_of_controllers: 1, checks_performed: [] }),
    },
  },
  spotbugs: { options: sast, others: { "an empty collection": "<BugCollection/>" } },
  gitlab: {
    clean: gitlab({ scanner: { name: "Semgrep" }, status: "success" }),
    options: { for: "score" },
    others: {
      "a scan by nobody": gitlab({ status: "success" }),
      "a scan of no file": { ...gitlab({ scanner: {} }), dependency_files: [] },
      "a report that does not say which kind": { version: "2.3", vulnerabilities: [], remediations: [] },
      "a list of vulnerabilities": { version: "1", vulnerabilities: [] },
    },
  },
  "zap-json": {
    clean: zap([{ "@name": "https://shop.example", alerts: [] }]),
    options: dast,
    others: { "a site that was not reached": zap([]), "a site without alerts": zap([{ "@name": "x" }]) },
  },
  "zap-xml": {
    clean: '<OWASPZAPReport><site name="x"><alerts/></site></OWASPZAPReport>',
    options: dast,
    others: {
      "no site": "<OWASPZAPReport/>",
      "a site without alerts": '<OWASPZAPReport><site name="x"/></OWASPZAPReport>',
    },
  },
  burp: { options: dast, others: { "no issue": '<issues burpVersion="2026.4"/>', "another list": "<issues/>" } },
  nuclei: { options: dast, others: { "an empty file": "", "an empty list": "[]" } },
  gitleaks: {
    clean: "[]",
    options: secrets,
    others: { "an empty file": "", "an object": "{}", "findings of another shape": [{ RuleID: "a", Secret: "x" }] },
  },
  trufflehog: {
    clean: log({ msg: "finished scanning", chunks: 1 }),
    options: secrets,
    others: {
      "a scan of nothing": log({ msg: "finished scanning", chunks: 0 }),
      "a scan that did not finish": log({ msg: "running source" }),
      "an empty file": "",
    },
  },
  "detect-secrets": {
    clean: { plugins_used: [{ name: "AWSKeyDetector" }], results: {} },
    options: secrets,
    others: {
      "a baseline without plugins": { plugins_used: [], results: {} },
      "one of two baselines without plugins": lines(
        { plugins_used: [{ name: "AWSKeyDetector" }], results: {} },
        { plugins_used: {}, results: {} },
      ),
      "a configuration": { exclude: { files: null } },
    },
  },
  checkov: {
    clean: checkov({ passed: 1 }),
    options: problem,
    others: {
      "a framework that found nothing to check": checkov({ resource_count: 0 }),
      "a framework that counts nothing": checkov({}),
      "files that could not be parsed": checkov({ resource_count: 1, parsing_errors: 1 }),
      "a summary without a framework": { passed: 0, failed: 0, checkov_version: "3.2.400" },
    },
  },
  kics: {
    clean: { kics_version: "v2", files_scanned: 1, queries_total: 1, queries: [] },
    options: problem,
    others: {
      "no file": { kics_version: "v2", files_scanned: 0, queries_total: 1, queries: [] },
      "no query": { kics_version: "v2", files_scanned: 1, queries: [] },
      "one of two scans without a file": lines(
        { kics_version: "v2", files_scanned: 1, queries_total: 1, queries: [] },
        { kics_version: "v2", files_scanned: 0, queries_total: 1, queries: [] },
      ),
    },
  },
  tfsec: {
    clean: '{"results":[]}',
    options: { ...problem, format: "tfsec" },
    others: { "results of any tool": { results: [{ id: 1 }] }, "a configuration": { minimum_severity: "HIGH" } },
  },
  "npm-audit": {
    clean: { auditReportVersion: 2, vulnerabilities: {}, metadata: { dependencies: { total: 1 } } },
    options: sast,
    others: {
      "a project without dependencies": { auditReportVersion: 2, vulnerabilities: {}, metadata: { dependencies: {} } },
      "a registry without audits": { error: { summary: "no audits" } },
    },
  },
  safety: {
    clean: { report_meta: { packages_found: 1 }, vulnerabilities: [] },
    options: sast,
    others: {
      "no package": { report_meta: { packages_found: 0 }, vulnerabilities: [] },
      "a table of texts": [
        ["ID", "Title", "Impact", "Status", "Code"],
        ["1", "2", "3", "4", "5"],
      ],
    },
  },
  "pip-audit": {
    clean: { dependencies: [{ name: "flask", version: "0.5", vulns: [] }] },
    options: sast,
    others: {
      "no dependency": { dependencies: [] },
      "dependencies that were skipped": { dependencies: [{ name: "shop", skip_reason: "not on PyPI" }] },
      "dependencies of any tool": { dependencies: [{ name: "flask", vulns: [] }] },
    },
  },
  "osv-scanner": {
    clean: {
      results: [{ source: { path: "go.mod" }, packages: [{ package: { name: "a" } }] }],
      experimental_config: {},
    },
    options: sast,
    others: {
      "an input": { results: [{ source: {}, packages: [{ package: { name: "a" } }] }] },
      "an input with its source": { results: [{ source: { path: "go.mod" }, packages: [{ package: { name: "a" } }] }] },
      "nothing that was scanned": { results: [], experimental_config: {} },
    },
  },
  govulncheck: {
    clean: lines(config, { progress: { message: "Checking the code against the vulnerabilities..." } }),
    options: sast,
    others: {
      "a program that was not loaded": lines(config),
      "a program of old versions that was not loaded": { Calls: null, Imports: null, Requires: null, Vulns: null },
      "a list of modules": lines(config, { SBOM: { modules: [] } }),
    },
  },
  "dependency-check-json": {
    clean: { reportSchema: "1.1", scanInfo: {}, dependencies: [{ fileName: "a.jar" }] },
    options: sast,
    others: { "no dependency": { reportSchema: "1.1", scanInfo: {}, dependencies: [] } },
  },
  "dependency-check-xml": {
    clean: dependencyCheckXml("<dependencies><dependency/></dependencies>"),
    options: sast,
    others: { "no dependency": dependencyCheckXml("<dependencies/>"), "another analysis": "<analysis/>" },
  },
};
