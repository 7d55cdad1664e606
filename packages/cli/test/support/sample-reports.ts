/** An image scan with one critical and two high vulnerabilities. */
export const trivy: string = JSON.stringify({
  SchemaVersion: 2,
  ArtifactName: "cart:1.2.3",
  ArtifactType: "container_image",
  Results: [
    {
      Target: "cart:1.2.3 (alpine 3.20)",
      Class: "os-pkgs",
      Type: "alpine",
      Vulnerabilities: ["CRITICAL", "HIGH", "HIGH", "LOW"].map((Severity, index) => ({
        VulnerabilityID: `CVE-2026-000${index}`,
        PkgName: "zlib",
        InstalledVersion: "1.3.0",
        Severity,
      })),
    },
  ],
});

/** A scan of an image that is clean but for a private key in it. */
export const imageWithKey: string = JSON.stringify({
  SchemaVersion: 2,
  ArtifactName: "cart:1.2.3",
  ArtifactType: "container_image",
  Results: [
    { Target: "cart:1.2.3 (alpine 3.20)", Class: "os-pkgs", Type: "alpine" },
    {
      Target: "/root/.ssh/id_rsa",
      Class: "secret",
      Secrets: [{ RuleID: "private-key", Severity: "HIGH", Title: "Asymmetric Private Key", StartLine: 1 }],
    },
  ],
});

/** Secrets in these files, one each. */
export function gitleaks(...files: readonly string[]): string {
  return JSON.stringify(
    files.map((File, index) => ({
      RuleID: "aws-access-token",
      Description: "AWS access key",
      StartLine: index + 1,
      File,
      Secret: "AKIAEXAMPLEEXAMPLE00",
      Match: "key = AKIAEXAMPLEEXAMPLE00",
    })),
  );
}

/** A test run that reached these of ten lines of a file. */
export function lcov(file: string, ...covered: readonly number[]): string {
  const lines = Array.from({ length: 10 }, (_, index) => `DA:${index + 1},${covered.includes(index + 1) ? 1 : 0}`);
  return ["TN:", `SF:${file}`, ...lines, "LF:10", `LH:${covered.length}`, "end_of_record", ""].join("\n");
}

/** Secrets that TruffleHog found in these files, one each. */
export function trufflehog(...files: readonly string[]): string {
  return files
    .map((file) => JSON.stringify({ DetectorName: "AWS", SourceMetadata: { Data: { Git: { file } } }, Raw: "x" }))
    .join("\n");
}

/** A scan of an image with one high vulnerability. */
export const grype: string = JSON.stringify({
  matches: [{ vulnerability: { id: "CVE-2026-0001", severity: "High" }, artifact: { name: "zlib" } }],
  source: { type: "image" },
  descriptor: { name: "grype", version: "0.96.0" },
});

/** Source with one weakness of high severity. */
export const semgrep: string = JSON.stringify({
  results: [
    { check_id: "eval", path: "src/cart.ts", start: { line: 4 }, extra: { severity: "ERROR", message: "eval" } },
  ],
  errors: [],
  paths: { scanned: ["src/cart.ts"] },
  version: "1.140.0",
});

/** Infrastructure code with one failed check, which is not about a secret. */
export const checkov: string = JSON.stringify({
  check_type: "terraform",
  results: { failed_checks: [{ check_id: "CKV_AWS_18", check_name: "Access logs", file_path: "/main.tf" }] },
  summary: { failed: 1, checkov_version: "3.2.400" },
});

/** A load test without a failed request. */
export const k6: string = JSON.stringify({
  metrics: {
    http_reqs: { count: 10, rate: 1 },
    http_req_failed: { passes: 0, fails: 10, value: 0 },
    http_req_duration: { avg: 10, "p(95)": 20 },
    checks: { passes: 10, fails: 0, value: 1 },
  },
});
