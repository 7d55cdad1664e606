import { expect } from "vitest";
import { testFormat } from "../../test/support/test-format.ts";
import { checkov } from "./checkov.ts";

const check = (others: object = {}) => ({
  check_id: "CKV_AWS_18",
  check_name: "Ensure the S3 bucket has access logging enabled",
  check_result: { result: "FAILED" },
  code_block: [[1, 'resource "aws_s3_bucket" "carts" {\n']],
  file_path: "/main.tf",
  file_line_range: [1, 4],
  resource: "aws_s3_bucket.carts",
  severity: null,
  ...others,
});
const report = (failed: object[], results: object = {}, check_type = "terraform") => ({
  check_type,
  results: { passed_checks: [], failed_checks: failed, skipped_checks: [], parsing_errors: [], ...results },
  summary: { passed: 0, failed: failed.length, resource_count: 1, checkov_version: "3.2.300" },
});
const summary = { passed: 0, failed: 0, skipped: 0, parsing_errors: 0, resource_count: 0, checkov_version: "3.2.300" };

testFormat(checkov, {
  "no failed checks": {
    report: report([]),
    options: { for: "problem" },
    reads: { problem: { count: 0, details: [] }, tool: "Checkov 3.2.300" },
  },
  "nothing to check, so only a summary": {
    report: summary,
    options: { for: "problem" },
    refused: [
      "nothing-measured",
      "does not show that misconfigurations were looked for: no framework found anything to check",
    ],
  },
  "nothing to check, on the caller's word": {
    report: summary,
    options: { for: "problem", assumeScanned: true },
    reads: { problem: { count: 0 }, notes: [expect.stringContaining("caller's word")] },
  },
  "one failed check": {
    report: report([check()]),
    reads: {
      problem: { count: 1, details: [{ file: "/main.tf", line: 1, description: check().check_name }] },
      held: [{ what: "1 misconfiguration", count: 1, kind: "misconfigurations" }],
    },
  },
  "failed checks, which say nothing of secrets": {
    report: report([check()]),
    options: { metric: "secret_scan" },
    refused: ["nothing-measured", "does not show that secrets were looked for: the framework secrets has no report"],
  },
  "nothing but secrets, for a problem of misconfigurations": {
    report: report([check({ check_id: "CKV_SECRET_6" })], {}, "secrets"),
    options: { for: "problem", kind: "misconfigurations" },
    refused: ["nothing-measured", "does not show that misconfigurations were looked for"],
  },
  "several frameworks, severities and secrets": {
    report: [
      report([check({ severity: "LOW" }), check({ severity: "HIGH" })]),
      report([check({ check_id: "CKV_SECRET_6", check_name: "Base64 High Entropy String" })], {}, "secrets"),
    ],
    reads: {
      problem: { count: 3, severity: "high" },
      problems: {
        misconfigurations: { count: 2 },
        secrets: { count: 1, details: [{ description: "Base64 High Entropy String" }] },
      },
      metrics: { secret_scan: { found: true, count: 1 } },
    },
  },
  "no failed checks, and the passed ones only counted": {
    report: {
      ...report([], { passed_checks: undefined, parsing_errors: ["/bad.tf"] }),
      summary: { ...summary, passed: 7, parsing_errors: 1 },
    },
    options: { for: "problem" },
    reads: { problem: { count: 0 }, warnings: ["1 files could not be parsed"] },
  },
  "failed checks that are lost": {
    report: [report([check()]), { ...report([]), summary: { ...summary, failed: 4 } }],
    options: { for: "problem" },
    refused: ["unreadable-report", "record 2: summary.failed says that it found 4, but it lists none"],
  },
  "skipped checks and files that were not parsed": {
    report: report([], { skipped_checks: [check()], parsing_errors: ["/bad.tf"], passed_checks: [check()] }),
    reads: {
      problem: { count: 0 },
      warnings: ["1 files could not be parsed"],
      notes: ["1 skipped checks, not counted"],
    },
  },
  "a list with a wrapper's own record in it": {
    report: [report([check()]), { repo_name: "shop" }],
    reads: { problem: { count: 1 }, notes: ["1 records that are no report of Checkov, skipped"] },
  },
  "a summary of failed checks that are not there": {
    report: { ...summary, failed: 3 },
    refused: ["unreadable-report", "this looks like Checkov JSON, but the failed checks are missing"],
  },
  "a framework without its name": {
    report: [report([]), { ...report([check()]), check_type: undefined }],
    refused: ["unreadable-report", "record 2: check_type is missing"],
  },
  "without its failed checks": {
    report: { ...report([]), results: { passed_checks: [] } },
    refused: ["unreadable-report", "results.failed_checks must be a list"],
  },
});
