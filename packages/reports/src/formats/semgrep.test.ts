import { expect } from "vitest";
import { testFormat } from "../../test/support/test-format.ts";
import { semgrep } from "./semgrep.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const result = (severity: string, extra: object = {}) => ({
  check_id: "rules.sql-injection",
  path: "src/cart.ts",
  start: { line: 4, col: 1 },
  end: { line: 4, col: 20 },
  extra: { message: "Do not build SQL from input", severity, metadata: {}, ...extra },
});
const report = (...results: object[]) => ({
  version: "1.97.0",
  results,
  errors: [] as object[],
  paths: { scanned: ["src/cart.ts"] },
});
const unparsed = { code: 3, level: "warn", type: "Syntax error", path: "src/odd.ts" };
const fatal = { code: 7, level: "error", type: "Rule parse error", rule_id: "broken" };

testFormat(semgrep, {
  "no results": {
    report: report(),
    reads: { metric: "sast", metrics: { sast: none }, tool: "Semgrep 1.97.0", notes: [] },
  },
  "no results, of nobody knows which files": {
    report: { results: [], errors: [] },
    refused: ["nothing-measured", "names no file that was scanned: paths.scanned is missing or empty"],
  },
  "a result, as old versions wrote it": {
    report: { results: [result("ERROR")], errors: [] },
    reads: { metrics: { sast: { ...none, high: 1 } }, tool: "Semgrep" },
  },
  "one result": { report: report(result("ERROR")), reads: { metrics: { sast: { ...none, high: 1 } } } },
  "old and new severities": {
    report: report(
      ...["ERROR", "WARNING", "INFO", "CRITICAL", "HIGH", "MEDIUM", "LOW", "INVENTORY"].map((word) => result(word)),
    ),
    reads: { metrics: { sast: { critical: 1, high: 2, medium: 2, low: 2, unknown: 1 } } },
  },
  "results that are ignored": {
    report: report(result("ERROR", { is_ignored: true }), result("WARNING", { is_ignored: false })),
    reads: { metrics: { sast: { ...none, medium: 1 } }, notes: ["1 ignored by nosemgrep, not counted"] },
  },
  "nothing but ignored results": {
    report: report(result("ERROR", { is_ignored: true })),
    reads: { metrics: { sast: none }, notes: ["1 ignored by nosemgrep, not counted"] },
  },
  "a file that could not be parsed": {
    report: { ...report(), errors: [unparsed] },
    reads: { metrics: { sast: none }, warnings: [expect.stringContaining("1 errors")] },
  },
  "a part of the only file that could not be parsed": {
    report: {
      ...report(),
      errors: [{ ...unparsed, type: ["PartialParsing", [{ path: "src/cart.ts" }]], path: "src/cart.ts" }],
    },
    reads: { metrics: { sast: none } },
  },
  "results in spite of an error": {
    report: { ...report(result("ERROR")), errors: [fatal] },
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },
  "an error and no results": {
    report: { ...report(), errors: [fatal, unparsed] },
    refused: ["failed-scan", "this looks like Semgrep JSON, but the scan ended with 1 errors and no results"],
  },
  "a result without its severity's place": {
    report: report({ check_id: "rules.x", path: "a.ts" }),
    refused: ["unreadable-report", "results[0].extra must be an object"],
  },
  "without results": {
    report: { errors: [], paths: { scanned: [] } },
    refused: ["unreadable-report", "results must be a list"],
  },
});
