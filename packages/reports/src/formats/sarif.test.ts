import { levels, log, result, rule, run } from "../../test/support/sarif.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { sarif } from "./sarif.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const scored = (score: unknown) => ({ properties: { "security-severity": score } });

testFormat(sarif, {
  "a long argument in many places": {
    report: log(
      run([result({ ruleId: "a", message: { id: "x", arguments: ["long ".repeat(100_000)] } })], {
        rules: [rule("a", { messageStrings: { x: { text: "{0}".repeat(200_000) } } })],
      }),
    ),
    reads: {
      metrics: { sast: { ...none, medium: 1 } },
      problem: { count: 1, details: [{ description: `${"long ".repeat(799)}long…` }] },
    },
  },
  "no results": {
    report: log(run([])),
    reads: { metrics: { sast: none }, tool: "Lint 1.2.3", notes: [] },
  },
  "no results, for a problem: of a tool that is known": {
    report: log(run([], { name: "CodeQL" })),
    options: { for: "problem" },
    reads: { problem: { count: 0 } },
  },
  "no results, for a problem: of a tool that says what it looked for": {
    report: log(run([], { rules: [rule("no-eval")] })),
    options: { for: "problem" },
    reads: { problem: { count: 0 } },
  },
  "results of a tool that is not known, for a metric that it could feed": {
    report: log(run(levels("error"))),
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, high: 1 } } },
  },
  "no results, and that of a tool that is not known shows nothing of images": {
    report: log(run([], { name: "Grype" }), run([])),
    options: { metric: "image_scan", assumeScanned: true },
    reads: { metrics: { image_scan: none }, assumed: { scanned: true } },
  },
  "without a version": {
    report: { runs: [run(levels("error"))] },
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },
  "null in place of results, which says nothing": {
    report: log(run([], { name: "CodeQL" }), run(null, { name: "CodeQL" })),
    refused: ["nothing-measured", "results is null, which SARIF has where no results are known"],
  },
  "null in place of results, for a problem": {
    report: log(run(null, { name: "CodeQL", rules: [rule("no-eval")] })),
    options: { for: "problem" },
    refused: ["nothing-measured", "does not show what was looked for"],
  },
  "null in place of the results of a secret scanner": {
    report: log(run(null, { name: "gitleaks" })),
    refused: ["nothing-measured", "does not show that secrets were looked for"],
  },
  "null in place of results, on the caller's word": {
    report: log(run(null, { name: "CodeQL" })),
    options: { assumeScanned: true },
    reads: { metric: "sast", metrics: { sast: { ...none, assumed_scanned: true } } },
  },
  "one result": {
    report: log(run([result()])),
    reads: {
      metrics: { sast: { ...none, medium: 1 } },
      problem: {
        count: 1,
        severity: "medium",
        details: [{ file: "src/cart.ts", line: 7, description: "Do not evaluate input" }],
      },
    },
  },
  "levels, where there is no score": {
    report: log(run(levels("error", "warning", "note", "none", "odd", undefined))),
    reads: { metrics: { sast: { critical: 0, high: 1, medium: 2, low: 1, unknown: 2 } } },
  },
  "the bands of scores": {
    report: log(
      run([9, "9.0", 8.9, "7.0", 6.9, "4", 3.9, 0.1].map((score) => result({ level: "note", ...scored(score) }))),
    ),
    reads: { metrics: { sast: { critical: 2, high: 2, medium: 2, low: 2, unknown: 0 } } },
  },
  "scores that say nothing leave it to the level": {
    report: log(run(["0.0", 0, "CRITICAL", "", null, -1].map((score) => result({ level: "error", ...scored(score) })))),
    reads: { metrics: { sast: { ...none, high: 6 } } },
  },
  "the score and the level of the rule": {
    report: log(
      run([result({ ruleId: "a" }), result({ ruleId: "b" }), result({ ruleId: "b", level: "note" })], {
        rules: [rule("a", scored("9.8")), rule("b", { defaultConfiguration: { level: "error" } })],
      }),
    ),
    reads: { metrics: { sast: { ...none, critical: 1, high: 1, low: 1 } } },
  },
  "rules by index, by reference, in an extension, and by a part of their id": {
    report: log({
      ...run(
        [
          result({ ruleIndex: 1, ruleId: undefined }),
          result({ ruleIndex: -1, ruleId: "extended/deep/er" }),
          result({ rule: { id: "x", index: 0, toolComponent: { index: 0 } } }),
          result({ rule: { id: "mild" }, ruleId: undefined }),
          result({ rule: { id: "extended", toolComponent: { name: "queries" } }, ruleIndex: 1 }),
        ],
        {},
      ),
      tool: {
        driver: { name: "CodeQL", rules: [rule("mild", scored(1)), rule("grave", scored(9))] },
        extensions: [{ name: "queries", rules: [rule("extended", scored(7))] }],
      },
    }),
    reads: { metrics: { sast: { ...none, critical: 1, high: 3, low: 1 } }, tool: "CodeQL" },
  },
  "what is suppressed": {
    report: log(
      run([
        result({ suppressions: [{ kind: "inSource" }] }),
        result({ suppressions: [{ kind: "external", status: "accepted" }] }),
        result({ suppressions: [{ kind: "external", status: "underReview" }] }),
        result({ suppressions: [{ kind: "external", status: "rejected" }] }),
        result({ suppressions: [] }),
      ]),
    ),
    reads: { metrics: { sast: { ...none, medium: 3 } }, notes: ["2 suppressed, not counted"] },
  },
  "nothing but what is suppressed": {
    report: log(run([result({ suppressions: [{ kind: "inSource" }] })])),
    reads: { metrics: { sast: none }, problem: { count: 0 }, notes: ["1 suppressed, not counted"] },
  },
  "what is no fault, or is gone": {
    report: log(
      run([
        ...["pass", "notApplicable", "informational"].map((kind) => result({ kind })),
        result({ baselineState: "absent" }),
        ...["fail", "open", "review"].map((kind) => result({ kind, baselineState: "unchanged" })),
      ]),
    ),
    reads: { metrics: { sast: { ...none, medium: 3 } }, notes: [] },
  },
  "runs of several tools": {
    report: log(run(levels("error")), run(levels("error"), { name: "eslint" }), run([], { name: "pmd" })),
    reads: { metrics: { sast: { ...none, high: 2 } }, tool: "Lint 1.2.3, eslint 1.2.3, pmd 1.2.3" },
  },
  "a scanner of images": {
    report: log(run(levels("error"), { name: "Snyk Container" })),
    reads: { metric: "image_scan", metrics: { image_scan: { ...none, high: 1 } } },
  },
  "a scanner of running systems": {
    report: log(run([result(scored(9.1))], { name: "ZAP" })),
    reads: {
      metric: "dast",
      metrics: { dast: { high: 1, medium: 0 } },
      notes: ["1 critical, counted as high: dast has no critical"],
    },
  },
  "a scanner of secrets": {
    report: log(run([result()], { name: "gitleaks" })),
    reads: {
      metric: "secret_scan",
      metrics: { secret_scan: { found: true, count: 1 } },
      problems: { secrets: { count: 1, details: [{ file: "src/cart.ts", line: 7 }] } },
    },
  },
  "a scanner of secrets that found none": {
    report: log(run([], { name: "gitleaks" })),
    options: { for: "problem" },
    reads: { metrics: { secret_scan: { found: false, count: 0 } }, notes: [] },
  },
  "a scanner of secrets, asked for vulnerabilities": {
    report: log(run([result()], { name: "gitleaks" })),
    options: { metric: "sast" },
    refused: ["wrong-metric", "this SARIF report is about secret_scan, not sast"],
  },
  "secrets among other results, by the tags of their rules": {
    report: log(
      run([result({ ruleId: "key" }), result({ ruleId: "sql" }), result({ ruleId: "CKV_SECRET_2" })], {
        rules: [
          rule("key", { properties: { tags: ["security", "CWE-798: Use of Hard-coded Credentials"] } }),
          rule("sql", { properties: { tags: ["security", "external/cwe/cwe-089"] } }),
          rule("CKV_SECRET_2"),
        ],
      }),
    ),
    options: { metric: "secret_scan" },
    reads: {
      problem: { count: 3 },
      problems: { secrets: { count: 2 } },
      metrics: { secret_scan: { found: true, count: 2 } },
    },
  },
  "a tool of which nothing says that it looks for secrets": {
    report: log(run([result()])),
    options: { metric: "secret_scan" },
    refused: ["nothing-measured", "does not show that secrets were looked for: no rule is about secrets"],
  },
  "messages that the rule holds": {
    report: log(
      run(
        [
          result({ ruleId: "m", message: { id: "default", arguments: ["cart.ts"] } }),
          result({ ruleId: "m", message: {} }),
          result({ ruleId: "n", message: { id: "toString" } }),
          result({ ruleId: "o", message: { markdown: "**bold**" } }),
        ],
        {
          rules: [
            rule("m", {
              messageStrings: { default: { text: "{0} is open ({1})" } },
              shortDescription: { text: "Open" },
            }),
          ],
        },
      ),
    ),
    reads: {
      problem: {
        details: [
          { description: "cart.ts is open ({1})" },
          { description: "Open" },
          { description: "n" },
          { description: "**bold**" },
        ],
      },
    },
  },
  "a result without a place": {
    report: log(run([result({ locations: [] })])),
    reads: { problem: { details: [{ file: "(no file)", description: "Do not evaluate input" }] } },
  },
  "no runs": { report: log(), refused: ["nothing-measured", "runs is empty: no tool ran"] },
  "without a tool": {
    report: log({ results: [] }),
    refused: ["unreadable-report", "this looks like SARIF, but runs[0].tool must be an object"],
  },
});
