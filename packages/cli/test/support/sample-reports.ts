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
