import { testFormat } from "../../test/support/test-format.ts";
import { trivy } from "./trivy.ts";

const vulnerability = (severity: string) => ({
  VulnerabilityID: "CVE-2024-0001",
  PkgName: "openssl",
  Severity: severity,
});
const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const misconfiguration = {
  ID: "DS002",
  Title: "Image user should not be 'root'",
  Severity: "HIGH",
  CauseMetadata: { StartLine: 3, EndLine: 3 },
};

testFormat(trivy, {
  "a cluster": {
    report: {
      ClusterName: "prod",
      Resources: [
        { Kind: "Deployment", Name: "cart", Results: [{ Target: "cart", Vulnerabilities: [vulnerability("LOW")] }] },
        { Kind: "Service", Name: "cart", Results: [{ Target: "Service/cart", Misconfigurations: [misconfiguration] }] },
        { Kind: "Node", Name: "n1", Error: "no such image" },
      ],
    },
    options: { metric: "image_scan" },
    reads: {
      metrics: { image_scan: { ...none, low: 1 } },
      notes: ["scanned was a cluster, not an image"],
      problems: { misconfigurations: { count: 1, severity: "high" } },
      warnings: ["1 resources could not be scanned"],
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
  "a cluster, and nobody says what for": {
    report: {
      ClusterName: "prod",
      Resources: [{ Kind: "Pod", Results: [{ Target: "cart", Vulnerabilities: [vulnerability("HIGH")] }] }],
    },
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "a cluster of which nothing was scanned": {
    report: { ClusterName: "prod" },
    refused: ["unreadable-report", "this looks like Trivy JSON, but none of Resources, Findings"],
  },
});
