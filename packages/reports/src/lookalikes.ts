import { type Fields, isObject } from "./shape.ts";

/** The description of a JSON object that is known, but is no report that is read. Undefined for any other. */
export function lookalikeOf(record: Fields): string | undefined {
  const known = lookalikes.find(
    ([, keys, isIt]) => keys.every((key) => Object.hasOwn(record, key)) && (isIt?.(record) ?? true),
  );
  return known?.[0];
}

/**
 * JSON that is often mistaken for a report: its description, mostly with what to use instead, the keys that it has in any
 * case, and, where others have these too, what else distinguishes it.
 */
const lookalikes: readonly [what: string, keys: readonly string[], isIt?: (record: Fields) => boolean][] = [
  ["the JSON of TruffleHog v2; version 3 is read", ["stringsFound", "reason", "commitHash"]],
  [
    "a CycloneDX bill of materials, not the findings; scan it (trivy sbom --format json, grype sbom:FILE -o json)",
    ["bomFormat", "specVersion"],
  ],
  [
    "an SPDX bill of materials, not the findings; scan it (trivy sbom --format json, grype sbom:FILE -o json)",
    ["spdxVersion", "SPDXID"],
  ],
  ["the JSON of mobsfscan; its SARIF is read (--sarif)", ["mobsfscan_version"]],
  ["security findings of AWS, which no metric takes", ["SchemaVersion", "ProductArn"]],
  ["the hotspots of SonarQube, which are no findings yet; api/issues/search is read", ["paging", "hotspots"]],
  ["the JSON of ESLint; its SARIF is read (--format @microsoft/eslint-formatter-sarif)", ["filePath", "messages"]],
  ["the JSON of hadolint; its SARIF is read (--format sarif)", ["code", "level", "column", "message"]],
  ["a Code Quality report; give that of the tool itself", ["fingerprint", "check_name", "location"]],
  ["an OpenVEX document; govulncheck -format json is read", ["@context", "statements"]],
  [
    "SimpleCov's last percentage; coverage/.resultset.json is read",
    ["result"],
    ({ result }) => isObject(result) && ["line", "branch", "covered_percent"].some((key) => key in result),
  ],
  [
    "the JSON of cspell, which checks the spelling; no metric takes it",
    ["issues", "result"],
    ({ result }) => isObject(result) && "filesWithIssues" in result,
  ],
  [
    "Codecov's own JSON; have the tool write LCOV or Cobertura",
    ["coverage"],
    (record) => Object.keys(record).length === 1 && isObject(record.coverage),
  ],
  ["a report of Codecov's API; give the report that was uploaded to it", ["totals", "files"], isOfCodecov],
  ["the upload of Coveralls; have the tool write LCOV or Cobertura", ["source_files"]],
  [
    "SonarQube's differential report, which has no types of issues; api/issues/search is read",
    ["version", "issues", "components", "rules", "users"],
  ],
  [
    "issues to be imported by SonarQube; give the report of the tool that found them",
    ["issues"],
    ({ issues }) => isFirst(issues, "primaryLocation"),
  ],
  ["the output of yarn npm audit; npm audit --json is read", ["value", "children"]],
  ["an old ZAP export; use the report traditional-json", ["Report"]],
  ["the samples of k6 --out json; save the summary with --summary-export", ["metric", "type", "data"]],
  ["the output of yarn audit; npm audit --json or pnpm audit --json is read", ["type", "data"], isOfYarn],
  ["a configuration, not a report", ["exclude"]],
  ["a configuration, not a report", ["minimum_severity"]],
  ["an error answer of a web API", ["message", "status"]],
];

/** The kinds of lines of yarn 1. */
const yarnLines: readonly unknown[] = ["auditAdvisory", "auditAction", "auditSummary", "info", "warning", "error"];

function isOfYarn({ type }: Fields): boolean {
  return yarnLines.includes(type);
}

function isOfCodecov({ totals }: Fields): boolean {
  return isObject(totals) && "hits" in totals;
}

function isFirst(list: unknown, key: string): boolean {
  const [first] = Array.isArray(list) ? list : [];
  return isObject(first) && key in first;
}
