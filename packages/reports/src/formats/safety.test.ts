import { expect, test } from "vitest";
import { testFormat } from "../../test/support/test-format.ts";
import { readReport } from "../index.ts";
import { safety } from "./safety.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const row = (name: string) => [name, "<1.9.2", "1.8.5", "It does not verify its peer.", "25625", null, null];
const found = (severity: unknown) => ({
  vulnerability_id: "44967",
  package_name: "flask",
  severity,
  advisory: "Upgrade.",
});
const report = (vulnerabilities: unknown, others: object = {}, meta: object = {}) => ({
  report_meta: { scan_target: "files", safety_version: "3.7.0", packages_found: 26, ...meta },
  scanned_packages: { flask: { name: "flask", version: "3.1.2" } },
  affected_packages: {},
  vulnerabilities,
  ignored_vulnerabilities: [],
  ...others,
});

testFormat(safety, {
  "no vulnerabilities": {
    ...sast,
    report: report([]),
    reads: { metric: "sast", metrics: { sast: none }, tool: "Safety 3.7.0", notes: [] },
  },
  "vulnerabilities, of which only a commercial key shows the severity": {
    ...sast,
    report: report([
      found(null),
      found({ cvssv2: null, cvssv3: { base_severity: "HIGH" } }),
      found("medium"),
      found({}),
    ]),
    reads: { metrics: { sast: { ...none, high: 1, medium: 1, unknown: 2 } } },
  },
  "ignored ones": {
    ...sast,
    report: report([], { ignored_vulnerabilities: [found(null), found(null)] }),
    reads: { metrics: { sast: none }, notes: ["2 ignored, not counted"] },
  },
  "version 2 without a count": {
    ...sast,
    report: report([], {}, { packages_found: undefined, safety_version: "2.3.5" }),
    reads: { metrics: { sast: none } },
  },
  "version 1, a list of lists": {
    ...sast,
    report: [row("ansible"), row("flask")],
    reads: { metrics: { sast: { ...none, unknown: 2 } }, tool: "Safety" },
  },
  "nothing found by version 1": {
    report: "[]",
    options: { metric: "sast", format: "safety" },
    reads: { metrics: { sast: none } },
  },

  "a table of another tool": {
    ...sast,
    report: [
      ["ID", "Title", "Impact", "Status", "Message"],
      ["cis-1.1", "Disable cramfs", "0.7", "passed", "Kernel Module cramfs should not be loaded"],
      ["SV-230221", "<none>", "1.0", "failed", "The system must be supported"],
    ],
    refused: ["unknown-format", "this looks like JSON without objects"],
  },
  "vulnerabilities that are lost": {
    ...sast,
    report: report([], {}, { vulnerabilities_found: 3 }),
    refused: ["unreadable-report", "report_meta.vulnerabilities_found says that it found 3, but it lists none"],
  },
  "no packages": {
    ...sast,
    report: report([], { scanned_packages: {} }, { packages_found: 0 }),
    refused: ["nothing-measured", "names no packages"],
  },
  "no list of vulnerabilities": {
    report: report(undefined),
    refused: ["unreadable-report", "vulnerabilities must be a list"],
  },
  "a row between reports": {
    report: [row("ansible"), { name: "flask" }],
    refused: ["unreadable-report", "report_meta must be an object"],
  },
});

test("the banner that Safety prints before and after its JSON is left out", () => {
  const banner = `\n\n+${"=".repeat(80)}+\n\n  DEPRECATED: this command (\`check\`) has been DEPRECATED\n\n+${"=".repeat(80)}+\n\n`;
  const text = `${banner}${JSON.stringify(report([found(null)]), null, 2)}${banner}`;
  expect(readReport(text, { metric: "sast" })).toMatchObject({
    metrics: { sast: { ...none, unknown: 1 } },
    notes: expect.arrayContaining(["text around the JSON was left out"]),
  });
});
