import { testFormat } from "../../test/support/test-format.ts";
import { grype } from "./grype.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const match = (severity?: string) => ({
  vulnerability: { id: "CVE-2024-0002", ...(severity !== undefined && { severity }), fix: { state: "" } },
  artifact: { name: "zlib", version: "1.2.11" },
});
const report = (...severities: (string | undefined)[]) => ({
  matches: severities.map(match),
  source: { type: "image", target: { userInput: "shop/cart:1.4.2" } },
  distro: { name: "debian", version: "12" },
  descriptor: { name: "grype", version: "0.87.0" },
});

testFormat(grype, {
  "no matches": {
    report: report(),
    reads: { metric: "image_scan", metrics: { image_scan: none }, tool: "Grype 0.87.0", notes: [] },
  },
  "one match": { report: report("Critical"), reads: { metrics: { image_scan: { ...none, critical: 1 } } } },
  "every severity; Negligible is low": {
    report: report("Critical", "High", "Medium", "Low", "Negligible", "Unknown", "", undefined),
    reads: {
      metrics: { image_scan: { critical: 1, high: 1, medium: 1, low: 2, unknown: 3 } },
      notes: ["3 of unknown severity, not scored (--assume-severity counts them)"],
    },
  },
  "ignored matches": {
    report: { ...report("High"), ignoredMatches: [{ ...match("Critical"), appliedIgnoreRules: [{}] }] },
    reads: { metrics: { image_scan: { ...none, high: 1 } }, notes: ["1 ignored, not counted"] },
  },
  "a directory, which is no image": {
    report: { ...report("High"), source: { type: "directory", target: "." } },
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, high: 1 } }, notes: ["scanned was a directory, not an image"] },
  },
  "a directory, and nobody says what for": {
    report: { ...report("High"), source: { type: "directory", target: "." } },
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "an image and a file": {
    report: [report("High"), { ...report(), source: { type: "file", target: "a.jar" } }],
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "without what says which tool it was": {
    report: { matches: [match("High")] },
    options: { metric: "image_scan" },
    reads: {
      metrics: { image_scan: { ...none, high: 1 } },
      tool: "Grype",
      notes: ["it does not say what was scanned"],
    },
  },
  "with the tool's error output around it": {
    report: ` ✔ Vulnerability DB [updated]\n[0000]  WARN unable to check for updates\n${JSON.stringify(report("High"), null, 1)}\n[0012] ERROR {1 vulnerability} found\n`,
    reads: { metrics: { image_scan: { ...none, high: 1 } }, notes: ["text around the JSON was left out"] },
  },
  "no matches, of nobody knows which tool": {
    report: { matches: [], source: null },
    refused: ["nothing-measured", "does not say which tool scanned what"],
  },
  "a match without its vulnerability": {
    report: { ...report(), matches: [{ vulnerability: { severity: "High" } }, { artifact: {} }] },
    refused: ["unreadable-report", "this looks like Grype JSON, but matches[1].vulnerability must be an object"],
  },
  "without matches": {
    report: { descriptor: { name: "grype", version: "0.87.0" } },
    refused: ["unreadable-report", "matches must be a list"],
  },
});
