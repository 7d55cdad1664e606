import { testFormat } from "../../test/support/test-format.ts";
import { trivy } from "./trivy.ts";

const about = {
  SchemaVersion: 2,
  Trivy: { Version: "0.58.1" },
  ArtifactName: "registry.example/shop/cart:1.4.2",
  ArtifactType: "container_image",
};
const vulnerability = (severity?: string | null) => ({
  VulnerabilityID: "CVE-2024-0001",
  PkgName: "openssl",
  ...(severity !== undefined && { Severity: severity }),
});
const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const secret = {
  RuleID: "aws-access-key-id",
  Category: "AWS",
  Severity: "CRITICAL",
  Title: "AWS Access Key ID",
  StartLine: 12,
  EndLine: 12,
  Match: "AWS_ACCESS_KEY_ID=********************",
};
const misconfiguration = {
  Type: "Dockerfile Security Check",
  ID: "DS002",
  Title: "Image user should not be 'root'",
  Severity: "HIGH",
  CauseMetadata: { StartLine: 3, EndLine: 3 },
};

testFormat(trivy, {
  "an image without findings": {
    report: { ...about, Results: [{ Target: "cart (alpine 3.20.3)", Class: "os-pkgs", Type: "alpine" }] },
    reads: { metric: "image_scan", metrics: { image_scan: none }, tool: "Trivy 0.58.1", notes: [] },
  },
  "nothing that could be scanned": { report: about, reads: { metrics: { image_scan: none } } },
  "one vulnerability": {
    report: { ...about, Results: [{ Target: "cart", Type: "alpine", Vulnerabilities: [vulnerability("HIGH")] }] },
    reads: { metrics: { image_scan: { ...none, high: 1 } } },
  },
  "one CVE in three packages counts three times": {
    report: {
      ...about,
      Results: [
        { Target: "cart", Vulnerabilities: [vulnerability("CRITICAL"), vulnerability("CRITICAL")] },
        { Target: "app/package-lock.json", Class: "lang-pkgs", Vulnerabilities: [vulnerability("CRITICAL")] },
      ],
    },
    reads: { metrics: { image_scan: { ...none, critical: 3 } } },
  },
  "every severity, and none": {
    report: {
      ...about,
      Results: [
        { Target: "a", Vulnerabilities: ["CRITICAL", "HIGH", "MEDIUM", "LOW", "UNKNOWN", "", null].map(vulnerability) },
        { Target: "b", Vulnerabilities: [vulnerability()] },
        { Target: "c", Vulnerabilities: null },
      ],
    },
    reads: {
      metrics: { image_scan: { critical: 1, high: 1, medium: 1, low: 1, unknown: 4 } },
      notes: ["4 of unknown severity, not scored"],
    },
  },
  "findings that were suppressed": {
    report: {
      ...about,
      Results: [{ Target: "cart", Class: "os-pkgs", ExperimentalModifiedFindings: [{ Type: "vulnerability" }] }],
    },
    reads: { metrics: { image_scan: none }, notes: ["1 suppressed, not counted"] },
  },
  "a repository with a secret, a misconfiguration and a check that passed": {
    report: {
      ...about,
      ArtifactType: "repository",
      Results: [
        { Target: "deploy.sh", Class: "secret", Secrets: [secret] },
        { Target: "Dockerfile", Misconfigurations: [{ ...misconfiguration, Status: "FAIL" }] },
        { Target: "web/Dockerfile", Misconfigurations: [{ ...misconfiguration, Status: "PASS" }] },
      ],
    },
    reads: {
      metrics: { image_scan: none, secret_scan: { found: true, count: 1 } },
      secrets: {
        count: 1,
        severity: "critical",
        details: [{ file: "deploy.sh", line: 12, description: "AWS Access Key ID" }],
      },
      problem: {
        count: 2,
        details: [{ file: "deploy.sh" }, { file: "Dockerfile", line: 3, description: misconfiguration.Title }],
      },
      notes: ["scanned was a repository, not an image"],
    },
  },
  "a scan for other things than vulnerabilities": {
    report: {
      ...about,
      Results: [
        { Target: "OS Packages", Class: "license", Licenses: [{ Severity: "HIGH", Name: "GPL-2.0" }] },
        { Target: "Dockerfile", Class: "config", Misconfigurations: [misconfiguration] },
      ],
    },
    reads: {
      metrics: { image_scan: none },
      notes: ["no packages are listed, so vulnerabilities may not have been looked for"],
    },
  },
  "no secret, when asked for secrets": {
    report: { ...about, Results: [] },
    options: { metric: "secret_scan" },
    reads: {
      metrics: { secret_scan: { found: false, count: 0 } },
      notes: ["no secret is listed, though the report does not say whether any were looked for"],
    },
  },
  "the list of results of Trivy 0.19": {
    report: [
      { Target: "cart (alpine 3.9)", Type: "alpine", Vulnerabilities: [vulnerability("MEDIUM")] },
      { Target: "package-lock.json", Vulnerabilities: null },
    ],
    reads: { metrics: { image_scan: { ...none, medium: 1 } } },
  },
  "the null of Trivy 0.19": {
    report: "null\n",
    options: { format: "trivy" },
    reads: { metrics: { image_scan: none } },
  },
  "null, of which nobody said what it is": {
    report: "null",
    options: { metric: "image_scan" },
    refused: ["empty-report", "name the format: trivy"],
  },
  "a cluster": {
    report: {
      ClusterName: "prod",
      Resources: [
        { Kind: "Deployment", Name: "cart", Results: [{ Target: "cart", Vulnerabilities: [vulnerability("LOW")] }] },
        { Kind: "Service", Name: "cart", Results: [{ Target: "Service/cart", Misconfigurations: [misconfiguration] }] },
        { Kind: "Node", Name: "n1", Error: "no such image" },
      ],
    },
    reads: {
      metrics: { image_scan: { ...none, low: 1 } },
      problem: { count: 1, severity: "high" },
      notes: ["1 resources could not be scanned"],
    },
  },
  "a cluster with a schema version, summed up": {
    report: {
      SchemaVersion: 0,
      ClusterName: "prod",
      Findings: [{ Kind: "Pod", Results: [{ Target: "cart", Vulnerabilities: [vulnerability("HIGH")] }] }],
    },
    reads: { metrics: { image_scan: { ...none, high: 1 } } },
  },
  "a cluster of which nothing was scanned": {
    report: { ClusterName: "prod" },
    refused: ["unreadable-report", "this looks like Trivy JSON, but none of Resources, Findings"],
  },
  "reports of two images, one after the other": {
    appends: true,
    report: [about, about]
      .map((image) =>
        JSON.stringify({ ...image, Results: [{ Target: "x", Vulnerabilities: [vulnerability("HIGH")] }] }),
      )
      .join("\n"),
    reads: { metrics: { image_scan: { ...none, high: 2 } } },
  },
  "vulnerabilities that are no list": {
    report: { ...about, Results: [{ Target: "cart", Vulnerabilities: { HIGH: 3 } }] },
    refused: ["unreadable-report", "Results[0].Vulnerabilities must be a list"],
  },
  "a schema version and nothing else": {
    report: { SchemaVersion: 2 },
    refused: ["unreadable-report", "Results and ArtifactName are missing"],
  },
  "asked for what it does not tell": {
    report: about,
    options: { metric: "sast" },
    refused: ["wrong-metric", "this Trivy JSON report is about image_scan, secret_scan, not sast"],
  },
});
