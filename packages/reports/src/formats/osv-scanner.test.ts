import { testFormat } from "../../test/support/test-format.ts";
import { osvScanner } from "./osv-scanner.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const pack = (...severities: unknown[]) => ({
  package: { name: "lodash", version: "4.17.0", ecosystem: "npm" },
  vulnerabilities: [{ id: "GHSA-1" }, { id: "CVE-1" }, { id: "GHSA-2" }],
  groups: severities.map((max_severity) => ({ ids: ["GHSA-1", "CVE-1"], aliases: [], max_severity })),
});
const source = (...packages: unknown[]) => ({
  source: { path: "/shop/package-lock.json", type: "lockfile" },
  packages,
});
const config = { experimental_config: { licenses: { summary: false, allowlist: null } } };

testFormat(osvScanner, {
  "groups by their score, not the ids in them": {
    ...sast,
    report: { results: [source(pack("9.8", "7", "7.5", "4.0", "3.9"), pack("5.3"))], ...config },
    reads: { metric: "sast", metrics: { sast: { ...none, critical: 1, high: 2, medium: 2, low: 1 } } },
  },
  "groups without a score": {
    ...sast,
    report: { results: [source(pack("", undefined, "0", "high"))] },
    reads: { metrics: { sast: { ...none, unknown: 4 } }, tool: "OSV-Scanner" },
  },
  "packages of old versions, without groups": {
    ...sast,
    report: { results: [source({ package: {}, vulnerabilities: [{ id: "GHSA-1" }, { id: "GHSA-2" }] })] },
    reads: { metrics: { sast: { ...none, unknown: 2 } } },
  },
  "nothing found, in a report that shows its tool": {
    ...sast,
    report: { results: [source({ package: {}, groups: [] })], ...config },
    reads: { metrics: { sast: none } },
  },
  "nothing found, in one that does not": {
    report: '{\n  "results": []\n}\n',
    options: { metric: "sast", format: "osv-scanner" },
    reads: { metrics: { sast: none } },
  },

  "packages without what was scanned, as an input of OSV-Scanner has them": {
    ...sast,
    report: { results: [source({ package: { name: "lodash" }, vulnerabilities: [], groups: [] })] },
    refused: ["nothing-measured", "lists no package that was scanned"],
  },
  "an input of OSV-Scanner": {
    ...sast,
    report: { results: [{ source: {}, packages: [{ package: { name: "lodash", version: "4.17.0" } }] }] },
    refused: ["unknown-format", "this looks like JSON with the keys results"],
  },
  "nothing found by a tool that nobody named": {
    ...sast,
    report: { results: [] },
    refused: ["empty-report", "name the format: osv-scanner"],
  },
  "packages that are no list": {
    report: { results: [source(pack("7")), { source: {}, packages: "none" }] },
    refused: ["unreadable-report", "results[1].packages must be a list"],
  },
});
