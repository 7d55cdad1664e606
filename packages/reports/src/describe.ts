import type { Document } from "./document.ts";
import { isHtml } from "./html.ts";
import { isCommentedJson } from "./json-comments.ts";
import { lookalikeOf } from "./lookalikes.ts";
import { own } from "./own.ts";
import { type Fields, isObject } from "./shape.ts";
import { textOutputOf } from "./text-outputs.ts";

/** What a file of no known format looks like. */
export interface Description {
  /** A few words. They may repeat names of fields, but no values, which may be secret. */
  readonly what: string;
  /** What is known of it: a file of this kind, `text` without any sign of its tool, or nothing. */
  readonly known: "kind" | "text" | "nothing";
}

/** Describes a file of no known format. */
export function describe(document: Document): Description {
  const { root, head } = document;
  const kind = kindOf(document);
  if (kind !== undefined) return { what: kind, known: "kind" };
  if (root) return { what: `XML with the root element <${root.name.slice(0, 40)}>`, known: "nothing" };
  const record = head.find(isObject);
  const damage = document.damaged ? " that is cut off or malformed" : "";
  if (record) return { what: `${describeObject(record)}${damage}`, known: "nothing" };
  if (head.length > 0 || damage) return { what: `JSON${damage || " without objects"}`, known: "nothing" };
  return { what: "text", known: "text" };
}

/** The description of a file of a kind that is known. Undefined for any other. */
function kindOf(document: Document): string | undefined {
  const { root, head, text } = document;
  if (isHtml(document)) return "HTML, as a web page is; have the tool write JSON or XML";
  if (root) return own(xmlRoots, root.name.toLowerCase());
  const record = head.find(isObject);
  const known = record && lookalikeOf(record);
  if (known !== undefined) return known;
  if (isCommentedJson(text)) return "JSON with comments, as settings have it; no report has them";
  return textOutputOf(text) ?? otherFile(text.slice(0, 1000));
}

/** What begins with `PK` is ZIP. Zstandard begins with four bytes that are no UTF-8. */
function otherFile(beginning: string): string | undefined {
  if (beginning.startsWith("version https://git-lfs.github.com/spec/")) return "a Git LFS pointer, not the file itself";
  if (beginning.includes("\0") || /^(PK|\(µ\/ý)/.test(beginning)) return "a binary or compressed file";
  if (beginning.includes("\u001b[")) return "text with terminal colours; let the tool write JSON";
  return undefined;
}

const junit = "a JUnit test report (no metric takes test results; send their coverage)";

const xmlRoots: Readonly<Record<string, string>> = {
  testsuite: junit,
  testsuites: junit,
  items: "the proxy history of Burp; report its issues as XML",
  bom: "a CycloneDX document in XML; its JSON is read (trivy --format cyclonedx, grype -o cyclonedx-json)",
  pmd: "the XML of PMD; its SARIF is read (--format sarif)",
};

function describeObject(object: Fields): string {
  const keys = Object.keys(object);
  if (keys.length === 0) return "a JSON object without members";
  const shown = keys.slice(0, 5).map((key) => key.slice(0, 40));
  return `JSON with the keys ${shown.join(", ")}${keys.length > shown.length ? ", …" : ""}`;
}
