import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { aboutImages, type Subject } from "../naming.ts";
import { gravestOf, noFindings, type Severity, severityOf, severityOfScore } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

/** States of the analysis of a vulnerability that does no harm, or no harm any more. */
const harmless: readonly unknown[] = ["false_positive", "not_affected", "resolved", "resolved_with_pedigree"];
const words = { info: "info", none: "info" } as const;

/** What is missing in a document without a vulnerability that counts. */
const silent =
  "lists no vulnerability that counts, and does not show that any was looked for: an inventory of components has an empty list too";

/**
 * CycloneDX JSON with the key `vulnerabilities`, as Trivy, Grype and others write it. A vulnerability counts once, by
 * the gravest word of its ratings, else by the greatest CVSS score. What is analysed as `not_affected`,
 * `false_positive` or `resolved` does not. Only a vulnerability that counts shows that any was looked for. A bill of
 * materials with an empty list may be an inventory: Trivy writes it so without `--scanners vuln`
 * (pkg/sbom/cyclonedx/marshal.go). A document in which every vulnerability does no harm may be VEX, in which a
 * supplier speaks of vulnerabilities that others have found.
 */
export const cycloneDx: Format = {
  name: "cyclonedx",
  title: "CycloneDX vulnerabilities",
  words: ["CycloneDX", "bomFormat", "specVersion", "serialNumber", "vulnerabilities", "ratings", "bom-ref"],
  time: { fields: ["metadata.timestamp"] },
  metrics: ["image_scan", "sast"],

  // Nothing shows a scan but a vulnerability that counts. Inventories and VEX have the same shape.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isScan(record)),

  read(document) {
    const severities = noFindings();
    const tools = new Set<string>();
    const toolNames: string[] = [];
    const scanned: Subject[] = [];
    let left = 0;
    for (const { record, path } of objectsOf(document)) {
      const vulnerabilities = listAt(record.vulnerabilities, `${path}vulnerabilities`);
      for (const { entry, path: at } of entriesAt(vulnerabilities, `${path}vulnerabilities`)) {
        if (isObject(entry.analysis) && harmless.includes(entry.analysis.state)) left++;
        else severities[severityIn(entry, at)]++;
      }
      for (const { name, version } of toolsOf(record)) {
        tools.add(version === undefined ? name : `${name} ${version}`);
        toolNames.push(name);
      }
      scanned.push(subjectOf(record));
    }
    const notes = left > 0 ? [`${left} that do no harm or are resolved, not counted`] : [];
    return {
      severities: measuredCounts(severities, undefined, silent),
      ...(tools.size > 0 && { tool: [...tools].join(", ") }),
      toolNames,
      notes,
      ...aboutImages(scanned),
    };
  },
};

/** The kind of component that the document describes. A container is an image. */
function subjectOf({ metadata }: Fields): Subject {
  const component = isObject(metadata) && isObject(metadata.component) ? metadata.component : {};
  return component.type === "container" ? "image" : subjects.find((type) => type === component.type);
}

const subjects = ["application", "file", "library", "firmware", "framework", "operating-system", "device"];

function isScan({ bomFormat, vulnerabilities }: Fields): boolean {
  return bomFormat === "CycloneDX" && vulnerabilities !== undefined;
}

/** The gravest severity among the ratings. If none has one, that of the highest CVSS score. */
function severityIn({ ratings }: Fields, path: string): Severity | "unknown" {
  const said: unknown[] = [];
  const scores: unknown[] = [];
  for (const { entry } of entriesAt(ratings, `${path}.ratings`)) {
    said.push(entry.severity);
    if (textOf(entry.method)?.startsWith("CVSS")) scores.push(entry.score);
  }
  const gravest = gravestOf(said.map((word) => severityOf(word, words)));
  return gravest === "unknown" && !said.includes("unknown") ? gravestOf(scores.map(severityOfScore)) : gravest;
}

/** The tools with their versions: since version 1.5 in an object with components and services, before that in a list. */
function toolsOf({ metadata }: Fields): { name: string; version: string | undefined }[] {
  const tools = isObject(metadata) ? metadata.tools : undefined;
  const listed = Array.isArray(tools) ? tools : isObject(tools) ? [tools.components, tools.services].flat() : [];
  return listed.flatMap((tool) => {
    const name = isObject(tool) ? textOf(tool.name) : undefined;
    const version = isObject(tool) ? textOf(tool.version) : undefined;
    return name === undefined ? [] : { name, version };
  });
}
