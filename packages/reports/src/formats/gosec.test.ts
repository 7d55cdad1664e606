import { testFormat } from "../../test/support/test-format.ts";
import { gosec } from "./gosec.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const issue = (severity: string, others: object = {}) => ({
  severity,
  confidence: "HIGH",
  rule_id: "G204",
  details: "Subprocess launched with variable",
  file: "/src/run.go",
  line: "31-33",
  ...others,
});
const report = (issues: object[] | null, others: object = {}) => ({
  "Golang errors": {},
  Issues: issues,
  Stats: { files: 12, lines: 900, nosec: 0, found: issues?.length ?? 0 },
  GosecVersion: "v2.21.4",
  ...others,
});

testFormat(gosec, {
  "no issues": {
    report: report([]),
    reads: { metric: "sast", metrics: { sast: none }, tool: "gosec v2.21.4", notes: [] },
  },
  "no issues, as null": { report: report(null), reads: { metrics: { sast: none } } },
  "no issues, and no count of files": {
    report: { "Golang errors": {}, Issues: [], GosecVersion: "dev" },
    refused: ["nothing-measured", "counts no file that was read"],
  },
  "one issue": { report: report([issue("HIGH")]), reads: { metrics: { sast: { ...none, high: 1 } } } },
  "every severity, of an old version": {
    report: { Issues: ["CRITICAL", "HIGH", "MEDIUM", "LOW", "?"].map((word) => issue(word)), Stats: { files: 3 } },
    reads: { metrics: { sast: { critical: 1, high: 1, medium: 1, low: 1, unknown: 1 } }, tool: "gosec" },
  },
  "suppressed in two ways": {
    report: report(
      [
        issue("HIGH", { nosec: true }),
        issue("HIGH", { suppressions: [{ kind: "inSource", justification: "" }] }),
        issue("LOW", { nosec: false, suppressions: null }),
      ],
      { Stats: { files: 12, found: 1 } },
    ),
    reads: { metrics: { sast: { ...none, low: 1 } }, notes: ["2 suppressed, not counted"] },
  },
  "a package that does not compile": {
    report: report([issue("LOW")], { "Golang errors": { "/src/x.go": [{ line: 1, error: "expected 'package'" }] } }),
    reads: { metrics: { sast: { ...none, low: 1 } }, warnings: ["1 files or packages could not be read"] },
  },
  "no file that could be read": {
    report: report([], { "Golang errors": { "/src/x.go": [] }, Stats: { files: 0 } }),
    refused: ["failed-scan", "gosec could read no file; 1 have errors"],
  },
  "issues that are lost": {
    report: report([], { Stats: { files: 12, found: 4 } }),
    refused: ["unreadable-report", "Stats.found says that it found 4, but it lists none"],
  },
  "without issues": {
    report: { "Golang errors": {}, Stats: { files: 3 } },
    refused: ["unreadable-report", "this looks like gosec JSON, but Issues is missing"],
  },
});
