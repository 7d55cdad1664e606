import { testFormat } from "../../test/support/test-format.ts";
import { npmAudit } from "./npm-audit.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const found = (severity: unknown, name = "minimist") => ({
  name,
  severity,
  isDirect: false,
  via: ["mkdirp"],
  nodes: [],
});
/** npm 7 and later. */
const packages = (entries: readonly unknown[], total = 32) => ({
  auditReportVersion: 2,
  vulnerabilities: Object.fromEntries(entries.map((entry, n) => [`package-${n}`, entry])),
  metadata: { vulnerabilities: { total: entries.length }, dependencies: { prod: 1, dev: 0, total } },
});
/** npm 6 and pnpm. */
const advisories = (entries: readonly unknown[], metadata: object = { dependencies: 0, totalDependencies: 918 }) => ({
  actions: [],
  advisories: Object.fromEntries(entries.map((entry, n) => [n + 100, entry])),
  muted: [],
  metadata: { vulnerabilities: { critical: 77 }, ...metadata },
});

testFormat(npmAudit, {
  "packages, those included that inherit": {
    ...sast,
    report: packages(["critical", "high", "high", "moderate", "low", "info", null].map((severity) => found(severity))),
    reads: { metric: "sast", metrics: { sast: { critical: 1, high: 2, medium: 1, low: 1, info: 1, unknown: 1 } } },
  },
  "no packages": { ...sast, report: packages([]), reads: { metrics: { sast: none }, evidence: "dependencies" } },
  "advisories, not the paths to them": {
    ...sast,
    report: advisories([found("high"), found("moderate"), found("low"), found(null)]),
    reads: { metrics: { sast: { ...none, high: 1, medium: 1, low: 1, unknown: 1 } }, tool: "npm audit" },
  },
  "no advisories": { ...sast, report: advisories([]), reads: { metrics: { sast: none } } },
  "advisories without metadata": {
    ...sast,
    report: { advisories: { 1: found("high") }, actions: [] },
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },

  "what it is for is not said": {
    report: packages([]),
    options: { for: "score" },
    refused: ["undecided", "this npm audit JSON report is not made for one metric, so name it: sast"],
  },
  "fewer packages than the counts by severity, whatever the total": {
    ...sast,
    report: { ...packages([found("high")]), metadata: { vulnerabilities: { high: 7, low: null, total: 1 } } },
    refused: ["unreadable-report", "metadata.vulnerabilities says that it found 7, but it lists only 1"],
  },
  "packages that are lost": {
    ...sast,
    report: { ...packages([]), metadata: { vulnerabilities: { high: 7, total: 7 } } },
    refused: ["unreadable-report", "metadata.vulnerabilities says that it found 7, but it lists none"],
  },
  "no dependencies": { ...sast, report: packages([], 0), refused: ["nothing-measured", "counts no dependencies"] },
  "an audit that failed": {
    report: {
      error: { code: "ENOAUDIT", summary: "Your configured registry may not support audit requests", detail: "" },
    },
    refused: ["failed-scan", "npm says that it could not audit"],
  },
  "an audit that a registry of its own refused": {
    report: { message: "404 Not Found", method: "POST", statusCode: 404, error: { summary: "", detail: "" } },
    refused: ["failed-scan", "npm says that it could not audit"],
  },
  "packages as a list": {
    report: { auditReportVersion: 2, vulnerabilities: [] },
    refused: ["unreadable-report", "vulnerabilities must be an object"],
  },
  "a package that is none": {
    report: packages(["high"]),
    refused: ["unreadable-report", "package-0 must be an object"],
  },
});
