import { testFormat } from "../../test/support/test-format.ts";
import { bandit } from "./bandit.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const result = (severity: string) => ({
  test_id: "B602",
  filename: "./app/run.py",
  issue_severity: severity,
  issue_confidence: "HIGH",
  line_number: 9,
});
const report = (results: object[], loc = 120, errors: object[] = []) => ({
  errors,
  generated_at: "2026-01-05T10:00:00Z",
  metrics: { _totals: { loc, nosec: 0, "SEVERITY.HIGH": 0 } },
  results,
});
const broken = { filename: "./app/old.py", reason: "syntax error while parsing AST from file" };

testFormat(bandit, {
  "no results": { report: report([]), reads: { metric: "sast", metrics: { sast: none }, tool: "Bandit", notes: [] } },
  "nothing to scan": { report: report([], 0), refused: ["nothing-measured", "counts no line of code"] },
  "one result": { report: report([result("HIGH")]), reads: { metrics: { sast: { ...none, high: 1 } } } },
  "every severity": {
    report: report(["HIGH", "MEDIUM", "MEDIUM", "LOW", "UNDEFINED"].map(result)),
    reads: { metrics: { sast: { critical: 0, high: 1, medium: 2, low: 1, unknown: 1 } } },
  },
  "a file that could not be parsed": {
    report: report([result("LOW")], 120, [broken]),
    reads: { metrics: { sast: { ...none, low: 1 } }, warnings: ["1 files could not be parsed"] },
  },
  "no file that could be parsed": {
    report: report([], 0, [broken]),
    refused: ["failed-scan", "this looks like Bandit JSON, but Bandit could parse none of 1 files"],
  },
  "without results": {
    report: { ...report([]), results: undefined },
    refused: ["unreadable-report", "results must be a list"],
  },
});
