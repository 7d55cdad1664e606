import { describe, expect, test } from "vitest";
import { pathsOf, withMember } from "../test/support/swapped.ts";
import { readReport } from "./index.ts";

/** Looks like no token that anyone issues. */
const secret = "correct-horse-battery-staple-9";
/** Known by its looks alone, for tools that do not say what the secret is. */
const token = "AKIAIOSFODNN7EXAMPLE";

/** A report of each tool that finds secrets, with the secret where the tool puts it. */
const reports: Readonly<Record<string, (value: string) => unknown>> = {
  "gitleaks v8": (value) => [
    {
      RuleID: "key",
      Description: "Key",
      StartLine: 1,
      File: "a.tf",
      Match: `key = "${value}"`,
      Secret: value,
      Tags: ["x"],
    },
  ],
  "gitleaks v7": (value) => [
    {
      rule: "Key",
      file: "a.tf",
      lineNumber: 1,
      line: `key: ${value}`,
      offender: value,
      commitMessage: "x",
      tags: "key",
    },
  ],
  "gitleaks SARIF": (value) => ({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "gitleaks", rules: [{ id: "key", shortDescription: { text: "Key" } }] } },
        results: [
          {
            ruleId: "key",
            message: { text: "key has detected a secret" },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: "a.tf" },
                  region: { startLine: 1, snippet: { text: value } },
                },
              },
            ],
            properties: { tags: ["x"] },
          },
        ],
      },
    ],
  }),
  TruffleHog: (value) => ({
    SourceMetadata: { Data: { Git: { file: "a.tf", line: 1, link: "https://git.example" } } },
    DetectorName: "Key",
    Verified: true,
    Raw: value,
    RawV2: `${value}:x`,
    Redacted: "",
    ExtraData: { account: "x" },
  }),
  Trivy: (value) => ({
    SchemaVersion: 2,
    ArtifactName: "x",
    ArtifactType: "image",
    Results: [
      {
        Target: "a.tf",
        Secrets: [{ RuleID: "key", Title: "Key", Severity: "HIGH", StartLine: 1, Match: `key = ${value}` }],
      },
    ],
  }),
  Checkov: (value) => ({
    check_type: "secrets",
    results: {
      failed_checks: [
        {
          check_id: "CKV_SECRET_2",
          check_name: "Key",
          file_path: "/a.tf",
          file_line_range: [1, 1],
          code_block: [[1, `k=${value}`]],
        },
      ],
    },
    summary: { failed: 1, checkov_version: "3.2.300" },
  }),
  KICS: (value) => ({
    kics_version: "v2.1.3",
    files_scanned: 1,
    queries: [
      {
        category: "Secret Management",
        query_name: "Passwords And Secrets - Generic Token",
        severity: "HIGH",
        files: [
          {
            file_name: "a.tf",
            line: 1,
            search_key: "k",
            search_value: value,
            expected_value: "x",
            actual_value: value,
          },
        ],
      },
    ],
  }),
};

/** Tools that do not repeat the secret; only one that looks like a token could be distinguished from other text. */
const silent: Readonly<Record<string, unknown>> = {
  "detect-secrets": {
    version: "1.5.0",
    plugins_used: [],
    results: { "a.tf": [{ type: "Key", filename: "a.tf", hashed_secret: "0", line_number: 1 }] },
  },
  tfsec: {
    results: [
      {
        rule_id: "general-secrets-x",
        description: "Key",
        severity: "HIGH",
        location: { filename: "a.tf", start_line: 1 },
      },
    ],
  },
};

function textsOf(report: unknown): (readonly string[])[] {
  const valueAt = (path: readonly string[]) => path.reduce<unknown>((value, key) => (value as never)[key], report);
  return pathsOf(report).filter((path) => typeof valueAt(path) === "string");
}

describe.each(Object.entries(reports))("%s", (_tool, reportOf) => {
  const report = reportOf(secret);
  test("finds the secret without showing it", () => {
    const reading = readReport(JSON.stringify(report), { metric: "secret_scan" });
    expect(reading.metrics.secret_scan).toEqual({ found: true, count: 1 });
    expect(JSON.stringify(reading)).not.toContain(secret);
  });

  test.each(textsOf(report).map((path) => [path.join("."), path] as const))("in %s", (_field, path) => {
    for (const value of [secret, token])
      expectHidden(withMember(reportOf(value), path, `before ${value} after`), value);
  });
});

describe.each(Object.entries(silent))("%s", (_tool, report) => {
  test.each(textsOf(report).map((path) => [path.join("."), path] as const))("in %s", (_field, path) => {
    expectHidden(withMember(report, path, `before ${token} after`), token);
  });
});

/** Neither what is read nor the error that refuses it shows the value. The tool's own name and version are no secret. */
function expectHidden(report: unknown, value: string): void {
  let shown: unknown;
  try {
    const { tool: _, ...reading } = readReport(JSON.stringify(report), { metric: "secret_scan" });
    shown = reading;
  } catch (error) {
    shown = String(error);
  }
  expect(JSON.stringify(shown)).not.toContain(value);
}
