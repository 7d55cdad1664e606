import { testFormat } from "../../test/support/test-format.ts";
import { dependencyCheckJson } from "./dependency-check-json.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const dependency = (vulnerabilities: unknown, others: object = {}) => ({
  isVirtual: false,
  fileName: "log4j-api-2.12.4.jar",
  vulnerabilities,
  ...others,
});
const report = (dependencies: unknown, scan: object = {}) => ({
  reportSchema: "1.1",
  scanInfo: { engineVersion: "12.1.1", dataSource: [], ...scan },
  projectInfo: { name: "shop" },
  dependencies,
});
const failure = {
  analysisExceptions: [
    {
      exception: {
        message: "Could not perform the analysis",
        stackTrace: [
          "org.owasp.dependencycheck.analyzer.AbstractAnalyzer.analyze(AbstractAnalyzer.java:131)",
          "org.owasp.dependencycheck.analyzer.NodeAuditAnalyzer.analyzePackage(NodeAuditAnalyzer.java:189)",
        ],
      },
    },
  ],
};

testFormat(dependencyCheckJson, {
  "the gravest word of the versions of CVSS": {
    ...sast,
    report: report([
      dependency([
        { name: "CVE-1", severity: "LOW", cvssv2: { severity: "MEDIUM" }, cvssv3: { baseSeverity: "LOW" } },
        { name: "CVE-2", severity: "HIGH", cvssv4: { baseSeverity: "CRITICAL" }, cvssv3: { baseSeverity: "HIGH" } },
        { name: "GHSA-3", severity: "moderate" },
        { name: "CVE-4", severity: "0.0" },
      ]),
      dependency([{ name: "CVE-1", severity: "HIGH" }]),
      dependency(undefined),
    ]),
    reads: {
      metric: "sast",
      metrics: { sast: { ...none, critical: 1, high: 1, medium: 2, unknown: 1 } },
      tool: "dependency-check 12.1.1",
    },
  },
  none: { ...sast, report: report([dependency(undefined)]), reads: { metrics: { sast: none }, notes: [] } },
  "suppressed ones": {
    ...sast,
    report: report([dependency([], { suppressedVulnerabilities: [{ name: "CVE-1", severity: "HIGH" }] })]),
    reads: { metrics: { sast: none }, notes: ["1 suppressed, not counted"] },
  },
  "an analyser that failed beside one that found something": {
    ...sast,
    report: report([dependency([{ name: "CVE-1", severity: "HIGH" }])], failure),
    reads: {
      metrics: { sast: { ...none, high: 1 } },
      warnings: ["NodeAuditAnalyzer failed, so what it looks for may be missing"],
    },
  },
  "an analyser that failed, and nothing found by the others": {
    ...sast,
    report: report([dependency(undefined)], failure),
    reads: {
      metrics: { sast: none },
      evidence: "dependencies",
      warnings: ["NodeAuditAnalyzer failed, so what it looks for may be missing"],
    },
  },
  "analysers that failed without a name": {
    ...sast,
    report: report([dependency(undefined)], { analysisExceptions: [{}, { exception: { message: "no network" } }] }),
    reads: { warnings: ["an analyser failed, so what it looks for may be missing"] },
  },

  "an analyser that failed, and no dependencies": {
    ...sast,
    report: report([], failure),
    refused: ["nothing-measured", "names no dependencies"],
  },
  "no dependencies": { ...sast, report: report([]), refused: ["nothing-measured", "names no dependencies"] },
  "dependencies that are no list": {
    report: report({}),
    refused: ["unreadable-report", "dependencies must be a list"],
  },
});
