import { testFormat } from "../../test/support/test-format.ts";
import { detectSecrets } from "./detect-secrets.ts";

const entry = (filename: string, others: object = {}) => ({
  type: "Secret Keyword",
  filename,
  hashed_secret: "0".repeat(40),
  is_verified: false,
  line_number: 9,
  ...others,
});
const report = (results: unknown) => ({
  version: "1.5.0",
  plugins_used: [{ name: "AWSKeyDetector" }],
  filters_used: [],
  results,
  generated_at: "2026-01-05T10:00:00Z",
});

testFormat(detectSecrets, {
  "no entries": {
    report: report({}),
    reads: { metrics: { secret_scan: { found: false, count: 0 } }, tool: "detect-secrets 1.5.0", notes: [] },
  },
  "no entries, since there were no plugins": {
    report: { ...report({}), plugins_used: [] },
    refused: ["nothing-measured", "does not show that secrets were looked for: plugins_used is empty"],
  },
  "one entry": {
    report: report({ "app.cfg": [entry("app.cfg")] }),
    reads: {
      metrics: { secret_scan: { found: true, count: 1 } },
      problem: { details: [{ file: "app.cfg", line: 9, description: "Secret Keyword" }] },
    },
  },
  "entries of two files, some audited": {
    report: report({
      "a.cfg": [entry("a.cfg", { is_secret: true }), entry("a.cfg", { is_secret: false })],
      "b.cfg": [entry("b.cfg")],
    }),
    reads: { problem: { count: 2 }, notes: ["1 audited as no secret, not counted"] },
  },
  "nothing but what was audited": {
    report: report({ "a.cfg": [entry("a.cfg", { is_secret: false })] }),
    reads: { metrics: { secret_scan: { found: false } }, notes: ["1 audited as no secret, not counted"] },
  },
  "a file named like a part of JavaScript": {
    report: JSON.stringify(report({ file: [entry("x")] })).replace('"file"', '"__proto__"'),
    reads: { problem: { count: 1, details: [{ file: "__proto__" }] } },
  },
  "results that are a list": {
    report: report([]),
    refused: ["unreadable-report", "this looks like detect-secrets baseline, but results must be an object"],
  },
});
