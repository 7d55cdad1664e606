import { testFormat } from "../../test/support/test-format.ts";
import { tfsec } from "./tfsec.ts";

const result = (severity: string, others: object = {}) => ({
  rule_id: "aws-s3-enable-versioning",
  rule_description: "S3 data should be versioned",
  description: "Bucket does not have versioning enabled",
  severity,
  location: { filename: "/src/s3.tf", start_line: 3, end_line: 9 },
  ...others,
});

testFormat(tfsec, {
  "no results": {
    report: { results: [] },
    options: { for: "problem", format: "tfsec" },
    reads: { problem: { count: 0, details: [] }, tool: "tfsec" },
  },
  "no results, as null": {
    report: { results: null },
    options: { for: "problem", format: "tfsec" },
    reads: { problem: { count: 0 } },
  },
  "no results, which other tools write too": {
    report: { results: [] },
    options: { metric: "secret_scan" },
    refused: ["empty-report", 'the report is {"results":[]}, which does not say whether anything was scanned; if this'],
  },
  "no results, which say nothing of secrets": {
    report: { results: [] },
    options: { metric: "secret_scan", format: "tfsec" },
    refused: ["nothing-measured", "does not show that secrets were looked for: no result is of a general-secrets rule"],
  },
  "secrets that were looked for, and are not there": {
    report: { results: [result("LOW"), result("LOW", { rule_id: "general-secrets-no-plaintext", status: 1 })] },
    options: { metric: "secret_scan" },
    reads: { metrics: { secret_scan: { found: false, count: 0 } }, evidence: "results of general-secrets rules" },
  },
  "a score of nobody knows which metric": {
    report: { results: [result("LOW", { rule_id: "GEN003" })] },
    options: { for: "score" },
    refused: ["undecided", "this tfsec JSON report is not made for one metric, so name it: secret_scan"],
  },
  "one result": {
    report: { results: [result("HIGH", { status: 0 })] },
    reads: {
      problem: {
        count: 1,
        severity: "high",
        details: [{ file: "/src/s3.tf", line: 3, description: "Bucket does not have versioning enabled" }],
      },
    },
  },
  "old and new severities": {
    report: {
      results: ["CRITICAL", "HIGH", "MEDIUM", "LOW", "ERROR", "WARNING", "INFO", "NONE"].map((word) => result(word)),
    },
    reads: { severities: { critical: 1, high: 2, medium: 2, low: 2, unknown: 1 }, problem: { count: 8 } },
  },
  "what passed or was ignored": {
    report: { results: [1, 2, "passed", "ignored", "failed"].map((status) => result("LOW", { status })) },
    reads: { problem: { count: 1 } },
  },
  "secrets, by new and old ids": {
    report: {
      results: [
        result("CRITICAL", { rule_id: "general-secrets-sensitive-in-variable" }),
        result("WARNING", { rule_id: "GEN003" }),
        result("LOW"),
      ],
    },
    reads: {
      problem: { count: 3 },
      problems: { misconfigurations: { count: 1 }, secrets: { count: 2 } },
      metrics: { secret_scan: { found: true, count: 2 } },
    },
  },
  "a result that is none": {
    report: { results: [result("LOW"), "S3 is open"] },
    refused: ["unreadable-report", "this looks like tfsec JSON, but results[1] must be an object"],
  },
});
