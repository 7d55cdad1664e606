import { testFormat } from "../../test/support/test-format.ts";
import { nuclei } from "./nuclei.ts";

const none = { high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const match = (severity: string, others: object = {}) => ({
  "template-id": "exposed-panel",
  info: { name: "Exposed panel", severity },
  host: "shop.example",
  "matched-at": "https://shop.example/admin",
  "matcher-status": true,
  ...others,
});
const lines = (...matches: object[]) => `${matches.map((each) => JSON.stringify(each)).join("\n")}\n`;

testFormat(
  nuclei,
  {
    "no bytes, when the format is named": {
      report: "",
      options: { format: "nuclei" },
      reads: { metric: "dast", metrics: { dast: none }, tool: "Nuclei", notes: [] },
    },
    "no bytes": {
      report: "",
      options: { metric: "dast" },
      refused: ["empty-report", "the report is empty, which does not say whether anything was scanned"],
    },
    "an empty list, when the format is named": {
      report: "[]",
      options: { format: "nuclei" },
      reads: { metrics: { dast: none } },
    },
    "one match": { report: lines(match("medium")), reads: { metrics: { dast: { ...none, medium: 1 } } } },
    "one match over several lines": {
      report: JSON.stringify(match("medium"), null, 2),
      reads: { metrics: { dast: { ...none, medium: 1 } } },
    },
    "every severity; what is critical counts as high, as dast has no critical": {
      report: lines(...["critical", "high", "medium", "low", "info", "unknown"].map((word) => match(word))),
      reads: {
        severities: { critical: 1, high: 1, medium: 1, low: 1, info: 1, unknown: 1 },
        metrics: { dast: { high: 2, medium: 1, low: 1, info: 1, unknown: 1 } },
        notes: [
          "1 critical, counted as high: dast has no critical",
          "1 of unknown severity, not scored (--assume-severity counts them)",
        ],
      },
    },
    "matches that are none": {
      report: lines(match("high", { "matcher-status": false }), match("high")),
      reads: { metrics: { dast: { ...none, high: 1 } }, notes: ["1 that did not match, not counted"] },
    },
    "the same record twice": {
      report: lines(match("high"), match("high"), match("high", { host: "b.example" })),
      reads: { metrics: { dast: { ...none, high: 2 } }, notes: ["1 repeated, counted once"] },
    },
    "a list, as -json-export writes": {
      report: [match("low"), match("low", { host: "b.example" })],
      reads: { metrics: { dast: { ...none, low: 2 } } },
    },
    "the template key of 2021, and messages of the tool between the lines": {
      report: `[INF] Using Nuclei Engine\n${lines({ templateID: "ssh", info: { severity: "low" } })}[INF] done\n`,
      reads: { metrics: { dast: { ...none, low: 1 } }, notes: ["text around the JSON was left out"] },
    },
    "a line that is something else": {
      report: lines(match("low"), { status: 500 }),
      refused: ["unreadable-report", "this looks like Nuclei JSONL, but record 2: template-id or info is missing"],
    },
    "a line that is cut off": {
      report: `${lines(match("low"))}${JSON.stringify(match("high")).slice(0, 60)}\n${lines(match("low"))}`,
      refused: ["unreadable-report", "is cut off: the JSON value that begins in line 2 does not end"],
    },
  },
  { appends: true },
);
