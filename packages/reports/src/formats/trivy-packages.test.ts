import { testFormat } from "../../test/support/test-format.ts";
import { trivy } from "./trivy.ts";

const about = { SchemaVersion: 2, ArtifactName: "registry.example/shop/cart:1.4.2", ArtifactType: "container_image" };
const vulnerability = (severity: string) => ({
  VulnerabilityID: "CVE-2024-0001",
  PkgName: "openssl",
  Severity: severity,
});
const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };

testFormat(trivy, {
  "an image that is not supported any more, of which packages are listed": {
    report: {
      ...about,
      Metadata: { OS: { Family: "alpine", Name: "3.9.4", EOSL: true } },
      Results: [{ Target: "cart (alpine 3.9.4)", Class: "os-pkgs", Packages: [{ Name: "zlib" }] }],
    },
    reads: { metrics: { image_scan: none }, evidence: "the end of life of the operating system" },
  },
  "packages and no vulnerability, which a scan for secrets gives too": {
    report: {
      ...about,
      Results: [
        { Target: "cart (alpine 3.20.3)", Class: "os-pkgs", Type: "alpine", Packages: [{ Name: "zlib" }] },
        { Target: "Node.js", Class: "lang-pkgs", Type: "node-pkg", Packages: [{ Name: "lodash" }] },
      ],
    },
    refused: ["nothing-measured", "Trivy lists packages without that too. Scan with --list-all-pkgs=false"],
  },
  "an operating system without packages, beside packages of an application": {
    report: {
      ...about,
      Results: [
        { Target: "cart (alpine 3.20.3)", Class: "os-pkgs", Type: "alpine" },
        { Target: "Node.js", Class: "lang-pkgs", Type: "node-pkg", Packages: [{ Name: "lodash" }] },
      ],
    },
    refused: ["nothing-measured", "Trivy lists packages without that too"],
  },
  "packages, and a vulnerability": {
    report: {
      ...about,
      Results: [
        { Target: "cart", Class: "os-pkgs", Packages: [{ Name: "openssl" }], Vulnerabilities: [vulnerability("LOW")] },
        { Target: "Node.js", Class: "lang-pkgs", Packages: [{ Name: "lodash" }] },
      ],
    },
    reads: { metrics: { image_scan: { ...none, low: 1 } }, evidence: "vulnerabilities are listed" },
  },
  "packages alone, of one of two reports": {
    report: [
      { ...about, Results: [{ Target: "x", Class: "os-pkgs" }] },
      { ...about, Results: [{ Target: "y", Class: "os-pkgs", Packages: [{ Name: "zlib" }] }] },
    ],
    refused: ["nothing-measured", "Trivy lists packages without that too"],
  },
});
