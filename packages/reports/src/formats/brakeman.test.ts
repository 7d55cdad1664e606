import { testFormat } from "../../test/support/test-format.ts";
import { brakeman } from "./brakeman.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const warning = (confidence: unknown) => ({
  warning_type: "SQL Injection",
  message: "Possible SQL injection",
  file: "app/models/cart.rb",
  line: 4,
  confidence,
});
const report = (warnings: unknown, others: object = {}, scan: object = {}) => ({
  scan_info: { app_path: "/shop", number_of_controllers: 3, number_of_models: 0, brakeman_version: "6.1.2", ...scan },
  warnings,
  ignored_warnings: [],
  errors: [],
  ...others,
});

testFormat(brakeman, {
  "no warnings": {
    report: report([]),
    reads: { metric: "sast", metrics: { sast: none }, tool: "Brakeman 6.1.2", notes: [] },
  },
  "the confidence for a severity": {
    report: report(["High", "Medium", "Weak", "Low", "Sure", null].map(warning)),
    reads: { metrics: { sast: { ...none, high: 1, medium: 1, low: 2, unknown: 2 } } },
  },
  "ignored warnings, and files that were not parsed": {
    report: report([], { ignored_warnings: [warning("High")], errors: [{ error: "parse" }] }),
    reads: {
      metrics: { sast: none },
      warnings: ["Brakeman lists 1 errors, so it may not have seen everything"],
      notes: ["1 ignored, not counted"],
    },
  },
  "an old report": {
    report: report([warning("High")], { ignored_warnings: undefined }),
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },

  "nothing to look at": {
    report: report([], {}, { number_of_controllers: 0 }),
    refused: ["nothing-measured", "counts no controller, model or template"],
  },
  "warnings that are lost": {
    report: report([], {}, { security_warnings: 6 }),
    refused: ["unreadable-report", "scan_info.security_warnings says that it found 6, but it lists none"],
  },
  "no warnings list": { report: report(null), refused: ["unreadable-report", "warnings must be a list"] },
  "a warning that is none": {
    report: report(["High"]),
    refused: ["unreadable-report", "warnings[0] must be an object"],
  },
});
