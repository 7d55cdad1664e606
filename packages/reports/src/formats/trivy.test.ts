import { expect } from "vitest";
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
  "nothing that could be scanned": {
    report: about,
    refused: [
      "nothing-measured",
      "this looks like Trivy JSON, but does not show that vulnerabilities were looked for: no result is of packages",
    ],
  },
  "nothing that could be scanned, on the caller's word": {
    report: about,
    options: { assumeScanned: true },
    reads: {
      metrics: { image_scan: { ...none, assumed_scanned: true } },
      assumed: { scanned: true },
      notes: [
        "the report does not show that vulnerabilities were looked for: no result is of packages; taken for clean on the caller's word",
      ],
    },
  },
  "one vulnerability": {
    report: { ...about, Results: [{ Target: "cart", Type: "alpine", Vulnerabilities: [vulnerability("HIGH")] }] },
    reads: {
      metrics: { image_scan: { ...none, high: 1 } },
      evidence: "vulnerabilities are listed",
      held: [{ what: "1 vulnerability", count: 1, kind: "vulnerabilities", metric: "image_scan" }],
    },
  },
  "vulnerabilities, as a problem": {
    report: { ...about, Results: [{ Target: "cart", Class: "os-pkgs", Vulnerabilities: [vulnerability("CRITICAL")] }] },
    options: { for: "problem", kind: "vulnerabilities" },
    reads: {
      problem: { count: 1, severity: "critical", details: [{ file: "cart", description: "CVE-2024-0001 openssl" }] },
    },
  },
  "vulnerabilities, which say nothing of secrets": {
    report: { ...about, Results: [{ Target: "cart", Class: "os-pkgs", Vulnerabilities: [vulnerability("CRITICAL")] }] },
    options: { for: "problem", kind: "secrets" },
    refused: [
      "nothing-measured",
      "does not show that secrets were looked for: Trivy writes of them only what it found; it holds 1 vulnerability",
    ],
  },
  "a problem of nobody knows which kind": {
    report: { ...about, Results: [{ Target: "cart", Class: "os-pkgs", Vulnerabilities: [vulnerability("CRITICAL")] }] },
    options: { for: "problem" },
    refused: [
      "undecided",
      "this Trivy JSON report is not made for one kind of findings, so name it: vulnerabilities; it holds 1 vulnerability",
    ],
  },
  "a problem of nobody knows which of two kinds": {
    report: {
      ...about,
      Results: [
        { Target: "id_rsa", Class: "secret", Secrets: [secret] },
        { Target: "Dockerfile", Class: "config", Misconfigurations: [misconfiguration] },
      ],
    },
    options: { for: "problem" },
    refused: ["undecided", "so name it: secrets or misconfigurations; it holds 1 secret, 1 misconfiguration"],
  },
  "an image report with private keys says that it holds them": {
    report: {
      ...about,
      Results: [
        { Target: "cart", Class: "os-pkgs", Vulnerabilities: [vulnerability("LOW")] },
        { Target: "id_rsa", Class: "secret", Secrets: [secret, secret, secret] },
      ],
    },
    options: { metric: "image_scan" },
    reads: {
      metrics: { image_scan: { ...none, low: 1 }, secret_scan: { found: true, count: 3 } },
      held: [{ kind: "vulnerabilities" }, { what: "3 secrets", count: 3, kind: "secrets", metric: "secret_scan" }],
    },
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
      notes: ["4 of unknown severity, not scored (--assume-severity counts them)"],
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
        { Target: "go.mod", Class: "lang-pkgs" },
        { Target: "Dockerfile", Misconfigurations: [{ ...misconfiguration, Status: "FAIL" }] },
        { Target: "web/Dockerfile", Misconfigurations: [{ ...misconfiguration, Status: "PASS" }] },
      ],
    },
    reads: {
      metrics: { image_scan: none, secret_scan: { found: true, count: 1 } },
      problems: {
        vulnerabilities: { count: 0 },
        secrets: {
          count: 1,
          severity: "critical",
          details: [{ file: "deploy.sh", line: 12, description: "AWS Access Key ID" }],
        },
        misconfigurations: {
          count: 1,
          details: [{ file: "Dockerfile", line: 3, description: misconfiguration.Title }],
        },
      },
      notes: ["scanned was a repository, not an image"],
    },
  },
  "a repository of nobody knows which metric": {
    report: { ...about, ArtifactType: "repository", Results: [{ Target: "go.mod", Class: "lang-pkgs" }] },
    options: { for: "score" },
    refused: ["undecided", "this Trivy JSON report is not made for one metric, so name it: image_scan"],
  },
  "a scan for other things than vulnerabilities": {
    report: {
      ...about,
      Results: [
        { Target: "OS Packages", Class: "license", Licenses: [{ Severity: "HIGH", Name: "GPL-2.0" }] },
        { Target: "Dockerfile", Class: "config", Misconfigurations: [misconfiguration] },
      ],
    },
    refused: [
      "nothing-measured",
      "does not show that vulnerabilities were looked for: no result is of packages; it holds 1 misconfiguration",
    ],
  },
  "no misconfiguration, where a summary shows that they were looked for": {
    report: {
      ...about,
      Results: [{ Target: "Dockerfile", Class: "config", MisconfSummary: { Successes: 27, Failures: 0 } }],
    },
    options: { for: "problem", kind: "misconfigurations" },
    reads: { problem: { count: 0 }, evidence: "results of class config" },
  },
  "no secret, when asked for secrets": {
    report: { ...about, Results: [{ Target: "cart", Class: "os-pkgs" }] },
    options: { metric: "secret_scan" },
    refused: ["nothing-measured", "does not show that secrets were looked for"],
  },
  "no secret, on the caller's word": {
    report: { ...about, Results: [{ Target: "cart", Class: "os-pkgs" }] },
    options: { for: "problem", kind: "secrets", assumeScanned: true },
    reads: {
      problem: { count: 0, details: [] },
      assumed: { scanned: true },
      notes: [expect.stringContaining("caller's word")],
    },
  },
  "secrets that were found, whatever the caller knows": {
    report: { ...about, Results: [{ Target: "id_rsa", Class: "secret", Secrets: [secret] }] },
    options: { metric: "secret_scan", assumeScanned: true },
    reads: { metrics: { secret_scan: { found: true, count: 1 } }, notes: [] },
  },
  "the list of results of Trivy 0.19": {
    report: [
      { Target: "cart (alpine 3.9)", Type: "alpine", Vulnerabilities: [vulnerability("MEDIUM")] },
      { Target: "package-lock.json", Vulnerabilities: null },
    ],
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, medium: 1 } } },
  },
  "the list of results of Trivy 0.19, which does not say what was scanned": {
    report: [{ Target: "cart (alpine 3.9)", Type: "alpine", Vulnerabilities: null }],
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "the null of Trivy 0.19": {
    report: "null\n",
    options: { format: "trivy", metric: "image_scan" },
    reads: { metrics: { image_scan: none } },
  },
  "null, of which nobody said what it is": {
    report: "null",
    options: { metric: "image_scan" },
    refused: ["empty-report", "name the format: trivy"],
  },
  "reports of two images, one after the other": {
    appends: true,
    report: ["x", "y"]
      .map((Target) => JSON.stringify({ ...about, Results: [{ Target, Vulnerabilities: [vulnerability("HIGH")] }] }))
      .join("\n"),
    reads: { metrics: { image_scan: { ...none, high: 2 } } },
  },
  "the report of one image, twice": {
    appends: true,
    report: ["x", "y", "x"]
      .map((Target) => JSON.stringify({ ...about, Results: [{ Target, Vulnerabilities: [vulnerability("HIGH")] }] }))
      .join("\n"),
    reads: {
      metrics: { image_scan: { ...none, high: 2 } },
      notes: expect.arrayContaining(["1 repeated, counted once"]),
    },
  },
  "reports of two images, of which one shows nothing": {
    report: [{ ...about, Results: [{ Target: "x", Class: "os-pkgs" }] }, about]
      .map((image) => JSON.stringify(image))
      .join("\n"),
    refused: ["nothing-measured", "does not show that vulnerabilities were looked for"],
  },
  "a report of Netsparker, Invicti or Acunetix 360": {
    report: {
      Generated: "18/05/2026 10:20 AM",
      Target: { Duration: "00:01:00", Initiated: "18/05/2026 10:19 AM", ScanId: "0", Url: "https://shop.example/" },
      Vulnerabilities: [],
    },
    refused: ["unknown-format", "this looks like JSON with the keys Generated, Target, Vulnerabilities"],
  },
  "vulnerabilities that are no list": {
    report: { ...about, Results: [{ Target: "cart", Vulnerabilities: { HIGH: 3 } }] },
    refused: ["unreadable-report", "Results[0].Vulnerabilities must be a list"],
  },
  "a schema version and nothing else": {
    report: { SchemaVersion: 2 },
    refused: ["unreadable-report", "Results and ArtifactName are missing"],
  },
  "asked for what it does not say": {
    report: about,
    options: { metric: "sast" },
    refused: ["wrong-metric", "this Trivy JSON report is about image_scan, secret_scan, not sast"],
  },
});
