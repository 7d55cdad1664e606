import type { Document } from "./document.ts";
import { type Fields, isObject, own } from "./shape.ts";

/** What a file of no known format is, in a few words that repeat no value of it. */
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
  return "text";
}

const xmlRoots: Readonly<Record<string, string>> = {
  html: "an HTML page",
  testsuite: "a JUnit test report",
  testsuites: "a JUnit test report",
};

/** What is often taken for a report, by the keys it has. */
const lookalikes: readonly [what: string, keys: readonly string[]][] = [
  ["the JSON of TruffleHog v2; version 3 is read", ["stringsFound", "reason", "commitHash"]],
  ["a CycloneDX bill of materials, not the findings", ["bomFormat", "specVersion"]],
  ["an SPDX bill of materials, not the findings", ["spdxVersion", "SPDXID"]],
  ["a security report of GitLab; give that of the scanner itself", ["scan", "vulnerabilities", "version"]],
  ["the JSON of OWASP Dependency-Check; its SARIF is read", ["reportSchema", "scanInfo"]],
  ["the JSON of npm audit", ["auditReportVersion"]],
  ["an old ZAP export; use the report traditional-json", ["Report"]],
  ["the samples of k6 --out json; save the summary with --summary-export", ["metric", "type", "data"]],
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
