import { expect, test } from "vitest";
import { levels, log, result, rule, run } from "../../test/support/sarif.ts";
import { type FormatCase, testFormat } from "../../test/support/test-format.ts";
import { sarif } from "./sarif.ts";
import { purposeOf, unknownTool } from "./sarif-tool.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };

const named = (name: string, ways: string): FormatCase => ({
  report: log(run([], { name })),
  options: { for: "score" },
  refused: ["undecided", `this SARIF report is not made for one metric, so name it: ${ways}`],
});

testFormat(sarif, {
  ...Object.fromEntries(
    [
      ...["dependency-check", "osv-scanner", "govulncheck", "Grype", "Snyk Open Source"],
      "Anchore Container Vulnerability Report (T0)",
    ].map((name) => [`${name}, which does not say that it scanned an image`, named(name, "sast or image_scan")]),
  ),
  ...Object.fromEntries(
    ["Checkov", "KICS", "Prisma Cloud", "Snyk IaC"].map((name) => [
      `${name}, which has no metric of its own`,
      named(name, "sast"),
    ]),
  ),
  ...Object.fromEntries(
    ["prettier", "markdownlint", "ESLint", "nmap", "Secretary Report Formatter", "Semgreport", "My CodeQL"].map(
      (name) => [`${name}, of which nothing is known`, named(name, "sast")],
    ),
  ),
  ...Object.fromEntries(
    ["CodeQL", "CodeQL command-line toolchain", "semgrep", "Semgrep OSS", "SnykCode", "bandit", "Opengrep OSS"].map(
      (name) => [
        `${name}, which looks for vulnerabilities in source`,
        {
          report: log(run([], { name })),
          options: { for: "score" },
          reads: { metric: "sast", metrics: { sast: none }, notes: [] },
        } satisfies FormatCase,
      ],
    ),
  ),
  "a tool of which nothing is known: the note names it": {
    report: log(run([], { name: "prettier" })),
    options: { metric: "sast" },
    reads: {
      metrics: { sast: none },
      notes: ["prettier is not known to look for vulnerabilities in source code: counted because sast was named"],
    },
  },
  "a name that is no secret scanner's, asked for secrets": {
    report: log(run([], { name: "Secretary Report Formatter" })),
    options: { metric: "secret_scan" },
    refused: ["nothing-measured", "does not show that secrets were looked for: no rule is about secrets"],
  },
  "a scanner of dependencies, for the metric that is named": {
    report: log(run(levels("error"), { name: "osv-scanner" })),
    options: { metric: "sast" },
    reads: {
      metric: "sast",
      metrics: { sast: { ...none, high: 1 } },
      notes: ["osv-scanner is not known to look for vulnerabilities in source code: counted because sast was named"],
    },
  },
  "Snyk that read no dependency": {
    report: log(run([], { name: "Snyk Container", properties: { artifactsScanned: 0 } })),
    refused: ["nothing-measured", "artifactsScanned is 0"],
  },
  "Snyk that read some": {
    report: log(run([], { name: "Snyk Container", properties: { artifactsScanned: 9 } })),
    reads: { metric: "image_scan", metrics: { image_scan: none } },
  },
  "the SARIF of old versions of Grype, which suppress every result themselves": {
    report: log(
      run([result({ suppressions: [{ kind: "external" }] })], { name: "Anchore Container Vulnerability Report (T0)" }),
    ),
    options: { metric: "image_scan" },
    refused: ["nothing-measured", "this version of Grype suppresses every result of its SARIF"],
  },
  "Nuclei, whose every finding is open": {
    report: log(run([result({ kind: "open", level: "error" })], { name: "Nuclei" })),
    reads: { metric: "dast", metrics: { dast: { high: 1 } } },
  },
  "Nosey Parker, whose every finding is for review": {
    report: log(run([result({ kind: "review", level: "warning" })], { name: "noseyparker" })),
    reads: { metric: "secret_scan", metrics: { secret_scan: { found: true, count: 1 } } },
  },
  "a reader of code, asked for what only a running system shows": {
    report: log(run([], { name: "CodeQL" })),
    options: { metric: "dast" },
    refused: ["wrong-metric", "this SARIF report is about sast, secret_scan, not dast"],
  },
  "tools for different metrics": {
    report: log(run(levels("error"), { name: "Grype" }), run([], { name: "eslint" })),
    options: { for: "score" },
    refused: ["undecided", "this SARIF report is not made for one metric, so name it: sast or image_scan"],
  },
  "Trivy: vulnerabilities alone count, by Trivy's severities": {
    report: log(
      run(
        [
          ...["CRITICAL", "HIGH", "UNKNOWN"].map((severity) =>
            result({
              ruleId: "CVE-2026-1",
              level: "note",
              message: { text: `Package: a\nVulnerability CVE-2026-1\nSeverity: ${severity}\nLink: x` },
            }),
          ),
          result({ ruleId: "CVE-2026-2", message: { text: "old" } }),
          result({ ruleId: "DS002", level: "error" }),
          result({ ruleId: "aws-key", level: "error" }),
          result({ ruleId: "GPL-3.0:a", level: "error" }),
        ],
        {
          name: "Trivy",
          rules: [
            rule("CVE-2026-1", {
              properties: { tags: ["vulnerability", "security", "MEDIUM"], "security-severity": "9.8" },
            }),
            rule("CVE-2026-2", {
              properties: { tags: ["vulnerability", "security", "UNKNOWN"], "security-severity": "0.0" },
            }),
            rule("DS002", { name: "Misconfiguration", properties: { tags: ["misconfiguration", "HIGH"] } }),
            rule("aws-key", { name: "Secret", properties: { tags: ["secret", "security", "CRITICAL"] } }),
            rule("GPL-3.0:a", { name: "License" }),
          ],
        },
        { properties: { imageName: "shop/cart:1.4.2" } },
      ),
    ),
    reads: {
      metric: "image_scan",
      metrics: { image_scan: { ...none, critical: 1, high: 1, unknown: 2 }, secret_scan: { found: true, count: 1 } },
      problem: { count: 7 },
    },
  },
  "Trivy, which does not name an image, because it scanned none": {
    report: log(run(levels("error"), { name: "Trivy" })),
    options: { for: "score" },
    refused: ["undecided", "so name it: sast or image_scan"],
  },
  "Trivy, which does not name an image, for the metric that is named": {
    report: log(run(levels("error"), { name: "Trivy" })),
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, high: 1 } }, notes: ["it does not say what was scanned"] },
  },
  "Trivy, which found nothing: of what, it does not say": {
    report: log(run([], { name: "Trivy" })),
    refused: ["nothing-measured", "does not show that vulnerabilities were looked for"],
  },
  "Trivy, which found misconfigurations only": {
    report: log(
      run([result({ ruleId: "DS002" })], { name: "Trivy", rules: [rule("DS002", { name: "Misconfiguration" })] }),
    ),
    options: { metric: "image_scan" },
    refused: ["nothing-measured", "does not show that vulnerabilities were looked for"],
  },
});

test("a name of ten million letters is that of no known tool", () => {
  expect(purposeOf("\u{1d400}".repeat(10_000_000))).toBe(unknownTool);
});
