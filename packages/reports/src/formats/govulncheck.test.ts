import { expect } from "vitest";
import { testFormat } from "../../test/support/test-format.ts";
import { govulncheck } from "./govulncheck.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const stream = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message, null, 2)}\n`).join("");
const config = (scan_level?: string) => ({
  config: { protocol_version: "v1.0.0", scanner_name: "govulncheck", scanner_version: "v1.1.4", scan_level },
});
const progress = { progress: { message: "Scanning your code and 56 packages across 9 dependent modules" } };
const fetching = { progress: { message: "Fetching vulnerabilities from the database..." } };
const checking = { progress: { message: "Checking the code against the vulnerabilities..." } };
const osv = (id: string) => ({ osv: { id, summary: "Infinite loop" } });
const finding = (id: string, ...functions: (string | undefined)[]) => ({
  finding: {
    osv: id,
    trace: functions.map((name) => ({ module: "golang.org/x/net", package: "html", function: name })),
  },
});
const old = (...vulnerabilities: (readonly [string, number])[]) => ({
  Calls: { Functions: {}, Entries: null },
  Imports: { Packages: {}, Entries: null },
  Requires: { Modules: {}, Entries: null },
  Vulns: vulnerabilities.map(([id, CallSink]) => ({ OSV: { id }, Symbol: "Parse", CallSink })),
});

testFormat(govulncheck, {
  "vulnerabilities that are called, each once": {
    ...sast,
    appends: true,
    report: stream(
      config("symbol"),
      progress,
      osv("GO-1"),
      osv("GO-2"),
      osv("GO-3"),
      finding("GO-1", undefined),
      finding("GO-2", undefined),
      finding("GO-1", undefined, "Parse"),
      finding("GO-1", "Render"),
    ),
    reads: {
      metric: "sast",
      metrics: { sast: { ...none, unknown: 1 } },
      tool: "govulncheck v1.1.4",
      notes: expect.arrayContaining(["1 of which no vulnerable function is called, not counted"]),
    },
  },
  "a scan that does not follow calls": {
    ...sast,
    report: [config("package"), progress, finding("GO-1", undefined), finding("GO-2"), finding("GO-2")],
    reads: { metrics: { sast: { ...none, unknown: 2 } } },
  },
  "nothing found": {
    ...sast,
    report: stream(config("symbol"), progress),
    appends: true,
    reads: { metrics: { sast: none }, evidence: "messages" },
  },
  "before version 1.0": {
    ...sast,
    report: old(["GO-1", 3], ["GO-1", 8], ["GO-2", 0]),
    reads: { metrics: { sast: { ...none, unknown: 1 } }, tool: "govulncheck" },
  },
  "nothing found before version 1.0": { ...sast, report: old(), reads: { metrics: { sast: none } } },

  "nothing found, since version 1.1.1": {
    ...sast,
    report: stream(config("symbol"), progress, fetching, osv("GO-1"), checking),
    appends: true,
    reads: { metrics: { sast: none } },
  },

  "only the config": {
    ...sast,
    report: stream(config("symbol")),
    refused: ["nothing-measured", "ends before govulncheck says that it checks the code"],
  },
  "no package that matches": {
    ...sast,
    report: stream(config("symbol"), { progress: { message: "No packages matching the provided pattern." } }),
    refused: ["nothing-measured", "ends before govulncheck says that it checks the code"],
  },
  "an end before the check, of version 1.1.1": {
    ...sast,
    report: stream(config("symbol"), progress, fetching),
    refused: ["nothing-measured", "ends before govulncheck says that it checks the code"],
  },
  "an end before the check, of version 1.1.4": {
    ...sast,
    report: stream(config("symbol"), { SBOM: { modules: [{ path: "shop" }] } }, fetching, osv("GO-1")),
    refused: ["nothing-measured", "ends before govulncheck says that it checks the code"],
  },
  "no config": {
    ...sast,
    report: stream(finding("GO-1", "Parse")),
    refused: ["unreadable-report", "it has no config: the stream is not whole"],
  },
  "a finding of nothing": {
    ...sast,
    report: stream(config("symbol"), { finding: { osv: 7, trace: [] } }),
    refused: ["unreadable-report", "finding.osv must be a text"],
  },
});
