import { testFormat } from "../../test/support/test-format.ts";
import { gitleaks } from "./gitleaks.ts";

const secret = "hunter2-hunter2-hunter2";
const leak = (others: object = {}) => ({
  RuleID: "generic-api-key",
  Description: "Generic API key",
  StartLine: 12,
  EndLine: 12,
  Match: `key = "${secret}"`,
  Secret: secret,
  File: "deploy/app.tf",
  Commit: "0123456789abcdef",
  Tags: [],
  ...others,
});
const oldLeak = (others: object = {}) => ({
  line: `password: ${secret}`,
  offender: secret,
  rule: "Password",
  file: "config.yml",
  commit: "0123456789abcdef",
  lineNumber: 7,
  ...others,
});
const clean = { metrics: { secret_scan: { found: false, count: 0 } }, problem: { count: 0, details: [] } };

testFormat(gitleaks, {
  "null, asked for secrets": {
    report: "null\n",
    options: { metric: "secret_scan" },
    reads: { ...clean, metric: "secret_scan", tool: "gitleaks", notes: [] },
  },
  "an empty list, asked for secrets": {
    report: "[\n]\n",
    options: { for: "problem", kind: "secrets" },
    reads: clean,
  },
  "an empty list, asked for a problem of nobody knows what": {
    report: "[\n]\n",
    options: { for: "problem" },
    refused: ["empty-report", "name the format: gitleaks, trufflehog"],
  },
  "null, asked for a problem of nobody knows what": {
    report: "null\n",
    options: { for: "problem" },
    refused: ["empty-report", "name the format: gitleaks"],
  },
  "an empty list, when the format is named": { report: "[]", options: { format: "gitleaks" }, reads: clean },
  "an empty list that could be anything": {
    report: "[]",
    refused: ["empty-report", "name the format: gitleaks, nuclei, pip-audit, safety, trufflehog"],
  },
  "an empty list as an image scan": {
    report: "[]",
    options: { metric: "image_scan" },
    refused: ["empty-report", "the report is [], which does not say whether anything was scanned"],
  },
  "no bytes, which gitleaks never writes": {
    report: "",
    options: { format: "gitleaks" },
    refused: ["empty-report", "the report is empty; gitleaks JSON writes something else"],
  },
  "one leak": {
    report: [leak()],
    reads: {
      metrics: { secret_scan: { found: true, count: 1 } },
      problem: { count: 1, details: [{ file: "deploy/app.tf", line: 12, description: "Generic API key" }] },
    },
  },
  "one secret in two commits counts twice": {
    report: [leak(), leak({ Commit: "fedcba9876543210" })],
    reads: { metrics: { secret_scan: { found: true, count: 2 } } },
  },
  "what is missing is left out": {
    report: [leak({ Description: "", StartLine: -1, File: "" }), leak({ RuleID: "", Description: "", StartLine: 0.5 })],
    reads: {
      problem: {
        count: 2,
        details: [{ file: "(no file)", description: "generic-api-key" }, { file: "deploy/app.tf" }],
      },
    },
  },
  "version 7": {
    report: [oldLeak(), oldLeak({ lineNumber: undefined })],
    reads: {
      problem: {
        count: 2,
        details: [
          { file: "config.yml", line: 7, description: "Password" },
          { file: "config.yml", description: "Password" },
        ],
      },
    },
  },
  "a list with something else in it": {
    report: [leak(), { status: "ok" }],
    refused: ["unreadable-report", "this looks like gitleaks JSON, but record 2: RuleID and File are missing"],
  },
  "a list with null in it": {
    report: [leak(), null],
    refused: ["unreadable-report", "record 2 must be an object"],
  },
});
