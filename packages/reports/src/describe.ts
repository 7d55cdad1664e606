import type { Document } from "./document.ts";
import { own } from "./own.ts";
import { type Fields, isObject } from "./shape.ts";

/** The description of a file about which nothing else is known. */
export const plainText = "text";

/**
 * Describes a file of no known format in a few words. It may repeat names of fields, but no values, which may be
 * secret.
 */
export function describe(document: Document): string {
  const { root, head, text } = document;
  if (root) return own(xmlRoots, root.name.toLowerCase()) ?? `XML with the root element <${root.name.slice(0, 40)}>`;
  const known = head.find(isObject);
  const damage = document.damaged ? " that is cut off or malformed" : "";
  if (known) return `${describeObject(known)}${damage}`;
  if (head.length > 0 || damage) return `JSON${damage || " without objects"}`;
  const beginning = text.slice(0, 1000);
  if (/^\s*<!doctype html/i.test(beginning)) return "an HTML page";
  if (beginning.startsWith("version https://git-lfs.github.com/spec/")) return "a Git LFS pointer, not the file itself";
  if (beginning.includes("\0") || /^(PK|.\uFFFD)/.test(beginning)) return "a binary or compressed file";
  if (beginning.includes("\u001b[")) return "text with terminal colours; let the tool write JSON";
  return plainText;
}

const xmlRoots: Readonly<Record<string, string>> = {
  html: "an HTML page",
  testsuite: "a JUnit test report",
  testsuites: "a JUnit test report",
  items: "the proxy history of Burp; report its issues as XML",
  bom: "a CycloneDX document in XML; its JSON is read (trivy --format cyclonedx, grype -o cyclonedx-json)",
  pmd: "the XML of PMD; its SARIF is read (--format sarif)",
};

/**
 * Files that are often mistaken for reports: their description, mostly with what to use instead, and the keys they all
 * have.
 */
const lookalikes: readonly [what: string, keys: readonly string[]][] = [
  ["the JSON of TruffleHog v2; version 3 is read", ["stringsFound", "reason", "commitHash"]],
  [
    "a CycloneDX bill of materials, not the findings; scan it (trivy sbom --format json, grype sbom:FILE -o json)",
    ["bomFormat", "specVersion"],
  ],
  [
    "an SPDX bill of materials, not the findings; scan it (trivy sbom --format json, grype sbom:FILE -o json)",
    ["spdxVersion", "SPDXID"],
  ],
  ["the JSON of mobsfscan; its SARIF is read (--sarif)", ["mobsfscan_version"]],
  ["security findings of AWS, which no metric takes", ["SchemaVersion", "ProductArn"]],
  ["the hotspots of SonarQube, which are no findings yet; api/issues/search is read", ["paging", "hotspots"]],
  ["the JSON of ESLint; its SARIF is read (--format @microsoft/eslint-formatter-sarif)", ["filePath", "messages"]],
  ["the JSON of hadolint; its SARIF is read (--format sarif)", ["code", "level", "column", "message"]],
  ["a Code Quality report; give that of the tool itself", ["fingerprint", "check_name", "location"]],
  ["an OpenVEX document; govulncheck -format json is read", ["@context", "statements"]],
  ["SimpleCov's last percentage; coverage/.resultset.json is read", ["result"]],
  ["the output of yarn npm audit; npm audit --json is read", ["value", "children"]],
  ["an old ZAP export; use the report traditional-json", ["Report"]],
  ["the samples of k6 --out json; save the summary with --summary-export", ["metric", "type", "data"]],
  ["the output of yarn audit; npm audit --json or pnpm audit --json is read", ["type", "data"]],
  ["a configuration, not a report", ["exclude"]],
  ["a configuration, not a report", ["minimum_severity"]],
  ["an error answer of a web API", ["message", "status"]],
];

function describeObject(object: Fields): string {
  const keys = Object.keys(object);
  const known = lookalikes.find(([, expected]) => expected.every((key) => keys.includes(key)));
  if (known) return known[0];
  if (keys.length === 0) return "a JSON object without members";
  const shown = keys.slice(0, 5).map((key) => key.slice(0, 40));
  return `JSON with the keys ${shown.join(", ")}${keys.length > shown.length ? ", …" : ""}`;
}
