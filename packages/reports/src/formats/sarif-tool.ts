import type { ReportMetric } from "../kinds.ts";

/** What the results of a tool can be used for. */
export interface Purpose {
  /** The metric that they feed by themselves. Only the results of tools that look for exactly that have one. */
  readonly metric?: ReportMetric;
  /** The metrics for which the tool is known to look. For any other one only the caller vouches. */
  readonly knownFor: readonly ReportMetric[];
  /** All metrics that it can feed if the caller names one. */
  readonly metrics: readonly ReportMetric[];
}

/** Tools by the name that they write as `tool.driver.name`, each with the place where this name was read. */
type Tools = Readonly<Record<string, string>>;

/** They look for vulnerabilities in source code, and for nothing else by default. */
const readersOfSource: Tools = {
  Bandit: "PyCQA/bandit, bandit/formatters/sarif.py",
  Bearer: "Bearer/bearer, pkg/report/output/sarif/sarif.go",
  Brakeman: "presidentbeef/brakeman, lib/brakeman/report/report_sarif.rb",
  CodeQL: "reports of CodeQL 2.5.4 and 2.12.6",
  DevSkim: "microsoft/DevSkim, Microsoft.DevSkim.CLI/Writers/SarifWriter.cs",
  Flawfinder: "david-a-wheeler/flawfinder, flawfinder.py",
  gosec: "securego/gosec, report/sarif/formatter.go",
  mobsfscan: "MobSF/mobsfscan, mobsfscan/formatters/sarif.py",
  nodejsscan: "ajinabraham/njsscan, njsscan/formatters/sarif.py",
  Opengrep: "reports of Opengrep OSS 1.25.0 to 1.30.0",
  Semgrep: "reports of semgrep 0.44.0 and Semgrep OSS 1.66.2",
  SnykCode: "reports of snyk code test 1.0.0",
};

const readersOfSecrets: Tools = {
  ggshield: "GitGuardian/ggshield, ggshield/verticals/secret/output/secret_sarif_output_handler.py",
  gitleaks: "reports of Gitleaks v7.4.0 and v8.0.0",
  noseyparker: "praetorian-inc/noseyparker, crates/noseyparker-cli/src/cmd_report/sarif_format.rs",
};

const visitors: Tools = {
  Nuclei: "projectdiscovery/nuclei, pkg/reporting/exporters/sarif/sarif.go",
  "OWASP ZAP": "zaproxy/zap-extensions, addOns/reports",
  ZAP: "zaproxy/zap-extensions, addOns/reports",
};

/** They scan nothing but images. */
const readersOfImages: Tools = {
  "Snyk Container": "snyk/cli, src/lib/formatters/sarif-output.ts",
};

/** They look for vulnerabilities in packages, of an image or of a project, and do not say of which. */
const readersOfPackages: Tools = {
  "Anchore Container Vulnerability Report": "anchore/grype, grype/presenter/sarif/presenter.go",
  "dependency-check": "jeremylong/DependencyCheck, core/src/main/resources/templates/sarifReport.vsl",
  "docker scout": "reports of docker scout",
  govulncheck: "golang/vuln, internal/sarif/handler.go",
  Grype: "reports of Grype 0.34.7",
  "osv-scanner": "google/osv-scanner, internal/output/sarif.go",
  "Snyk Open Source": "snyk/cli, src/lib/formatters/open-source-sarif-output.ts",
  Trivy: "aquasecurity/trivy, pkg/report/sarif.go",
};

const readersOfInfrastructure: Tools = {
  Checkov: "reports of Checkov 2.3.205",
  KICS: "Checkmarx/kics, pkg/report/model/sarif.go",
  "Prisma Cloud": "bridgecrewio/checkov, checkov/common/output/sarif.py",
  "Snyk IaC": "reports of Snyk IaC 1.0.0",
};

/** The purpose of results of which it is known that they are of an image. */
export const ofImages: Purpose = { metric: "image_scan", knownFor: ["image_scan"], metrics: ["image_scan", "sast"] };

/** What each known tool can be used for. */
export const purposes: readonly (readonly [Tools, Purpose])[] = [
  [readersOfSource, { metric: "sast", knownFor: ["sast"], metrics: ["sast"] }],
  [readersOfSecrets, { metric: "secret_scan", knownFor: [], metrics: ["secret_scan"] }],
  [visitors, { metric: "dast", knownFor: ["dast"], metrics: ["dast"] }],
  [readersOfImages, ofImages],
  [readersOfPackages, { knownFor: ["image_scan"], metrics: ["sast", "image_scan"] }],
  [readersOfInfrastructure, { knownFor: [], metrics: ["sast"] }],
];

const known: readonly (readonly [words: string, Purpose])[] = purposes.flatMap(([tools, purpose]) =>
  Object.keys(tools).map((name) => [wordsOf(name), purpose] as const),
);

/**
 * The purpose of a tool that is not known. SARIF is written by linters, formatters, spell checkers and scanners of all
 * kinds, so the caller has to say what it looks for.
 */
export const unknownTool: Purpose = { knownFor: [], metrics: ["sast", "image_scan", "dast"] };

/**
 * The purpose of a tool. Its name has to begin with the words of a known one: "Semgrep OSS" is Semgrep, "Semgreport"
 * is not.
 */
export function purposeOf(tool: string): Purpose {
  const words = wordsOf(tool.slice(0, longestName));
  return known.find(([name]) => words.startsWith(name))?.[1] ?? unknownTool;
}

/** Characters of a name that are looked at, more than any known tool has. */
const longestName = 200;

/** The words of a name in lower case, each with a blank behind it. */
function wordsOf(name: string): string {
  return (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `${word} `).join("");
}

/** What all runs of a report can be used for, which may be of several tools. */
export function commonPurpose(all: readonly Purpose[]): Pick<Purpose, "metric" | "metrics"> {
  const [first, ...others] = all;
  if (!first) return { metrics: [] };
  const metrics = first.metrics.filter((metric) => others.every((other) => other.metrics.includes(metric)));
  const isAgreed = first.metric !== undefined && others.every(({ metric }) => metric === first.metric);
  return isAgreed ? { metric: first.metric, metrics } : { metrics };
}
