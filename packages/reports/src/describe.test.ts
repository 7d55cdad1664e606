import { describe, expect, test } from "vitest";
import { readReport } from "./index.ts";

/** Files that are no reports, or reports in a form that is not read: what the error says of them. */
const described: Readonly<Record<string, readonly [file: string | object, said: string]>> = {
  "lines of yarn audit": ['{"type":"info","data":"x"}\n{"type":"auditSummary","data":{}}', "the output of yarn audit"],
  "JSON that only has the keys of yarn audit": [{ type: "Feature", data: {} }, "JSON with the keys type, data"],
  "SimpleCov's last run": [{ result: { line: 91.2 } }, "SimpleCov's last percentage"],
  "cspell's report": [
    { issues: [], info: [], debug: [], error: [], progress: [], result: { files: 3, filesWithIssues: [], issues: 0 } },
    "the JSON of cspell, which checks the spelling; no metric takes it",
  ],
  "any other result": [{ result: "ok" }, "JSON with the keys result"],
  "Codecov's JSON": [{ coverage: { "src/a.rs": { 1: "1/1", 2: 0 } } }, "Codecov's own JSON; have the tool write LCOV"],
  "Codecov's API": [{ totals: { files: 1, hits: 1 }, files: [], commit_sha: "0" }, "a report of Codecov's API"],
  "the upload of Coveralls": [{ service_name: "x", source_files: [] }, "the upload of Coveralls"],
  "SonarQube's differential report": [
    { version: "6.7", issues: [{ key: "a", component: "b", rule: "c" }], components: [], rules: [], users: [] },
    "SonarQube's differential report, which has no types of issues; api/issues/search is read",
  ],
  "an empty one": [
    { version: "6.7", issues: [], components: [{ key: "a" }], rules: [], users: [] },
    "SonarQube's differential report",
  ],
  "issues for SonarQube": [
    { issues: [{ engineId: "a", ruleId: "b", type: "VULNERABILITY", primaryLocation: {} }] },
    "issues to be imported by SonarQube; give the report of the tool that found them",
  ],
  "SARIF 0.4": [{ version: "0.4", runLogs: [{ toolInfo: {} }] }, "SARIF, but version is before 2.1.0"],
  "SARIF 1": [{ version: "1.0.0", runs: [{ tool: { name: "x" }, results: [] }] }, "SARIF, but version is before 2.1.0"],
  "SARIF 2.0": [
    {
      $schema: "http://json.schemastore.org/sarif-2.0.0-csd.2.beta.2018-10-10",
      version: "2.0.0-csd.2.beta.2018-10-10",
      runs: [{ tool: { name: "x" }, results: [{ ruleId: "a" }] }],
    },
    "SARIF, but version is before 2.1.0: have the tool write SARIF 2.1.0",
  ],
  "Bandit's text": [
    "[main]\tINFO\tprofile include tests: None\nRun started:2026-01-01 10:00:00\n\nTest results:\n>> Issue: [B101:assert_used] Use of assert\n   Severity: Low   Confidence: High\n",
    "the text of Bandit; its JSON is read (--format json)",
  ],
  "Bandit's text with colours": [
    "\u001b[95mRun started:2026-01-01\u001b[0m\n\u001b[94m>> Issue: [B101:assert_used]\u001b[0m\n",
    "the text of Bandit",
  ],
  "Checkov's text": [
    "\n   ___| |__\nBy Prisma Cloud | version: 3.2.1\n\nterraform scan results:\n\nPassed checks: 4, Failed checks: 9, Skipped checks: 0\n",
    "the text of Checkov; its JSON is read (--output json)",
  ],
  "Trivy's table": [
    "\nalpine (alpine 3.10)\r\n====\r\nTotal: 2 (UNKNOWN: 0, LOW: 0, HIGH: 1)\r\n",
    "the table of Trivy",
  ],
  "Grype's table": [
    "NAME   INSTALLED  FIXED-IN  TYPE  VULNERABILITY  SEVERITY\nzlib 1 apk CVE-1 High\n",
    "the table of Grype",
  ],
  "gosec's text": [
    "Results:\n\n[/a.go:5] - G104 (CWE-703): x (Confidence: HIGH, Severity: LOW)\n",
    "the text of gosec",
  ],
  "Gitleaks' text": ["Finding:     a = REDACTED\nSecret:      REDACTED\nRuleID:      x\n", "the text of Gitleaks"],
  "TruffleHog's text": ["Found unverified result 🐷🔑❓\nDetector Type: AWS\n", "the text of TruffleHog"],
  "npm's text": ["# npm audit report\n\nminimist  <=1.2.5\n", "the text of npm audit"],
  "govulncheck's text": ["=== Symbol Results ===\n\nVulnerability #1: GO-2026-1\n", "the text of govulncheck"],
  "Brakeman's text": ["\n== Brakeman Report ==\n\nApplication Path: /shop\n", "the text of Brakeman"],
  "Nuclei's text": ["[tech-detect:nginx] [http] [info] https://shop.example\n", "the text of Nuclei"],
  "coverage.py's text": ["Name    Stmts   Miss  Cover\n-----\na.py  3  1  67%\n", "the text of coverage.py"],
  "Istanbul's table": ["-----|----\nFile      | % Stmts | % Branch |\n", "the table of Istanbul"],
  "llvm-cov's table": ["Filename    Regions    Missed Regions     Cover\n", "the table of llvm-cov"],
  "go test": ["ok  \tshop\t0.01s\tcoverage: 66.7% of statements\n", "the output of go test"],
  "k6's text": ["     http_req_duration..............: avg=1ms p(95)=2ms\n", "the text of k6"],
  "JMeter's log": ["Created the tree successfully\nsummary =   100 in 00:00:10 =   10.0/s\n", "the log of JMeter"],
  "settings with comments": ['{\n  "compilerOptions": {}, // x\n}', "JSON with comments, as settings have it"],
  Markdown: ['<h1 align="center">Shop</h1>\n\n# Shop', "HTML, as a web page is; have the tool write JSON or XML"],
};

describe("a file of no known format is called what it is", () => {
  test.each(Object.entries(described))("%s", (_name, [file, said]) => {
    const text = typeof file === "string" ? file : JSON.stringify(file, null, 2);
    expect(() => readReport(text)).toThrow(`this looks like ${said}`);
  });
});

test("of a known kind no format is near", () => {
  expect(() => readReport("== Brakeman Report ==\n")).toThrow(/^this looks like the text of Brakeman; [^;]*$/);
  expect(() => readReport("== Brakeman Report ==\n", { metric: "sast" })).toThrow("; formats of sast are bandit, ");
});
