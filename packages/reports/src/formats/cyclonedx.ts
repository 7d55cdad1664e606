import type { Format } from "../format.ts";
import type { ReportMetric } from "../kinds.ts";
import { measuredCounts } from "../measurement.ts";
import { notAnImage } from "../not-an-image.ts";
import { gravestOf, noFindings, type Severity, severityOf, severityOfScore } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

/** States of the analysis of a vulnerability that does no harm, or no harm any more. */
const harmless: readonly unknown[] = ["false_positive", "not_affected", "resolved", "resolved_with_pedigree"];
const words = { info: "info", none: "info" } as const;

/**
 * CycloneDX JSON with the key `vulnerabilities`, as Trivy, Grype and others write it. A document without this key is
 * only an inventory of components, and never counts as a clean scan.
 */
export const cycloneDx: Format = {
  name: "cyclonedx",
  title: "CycloneDX vulnerabilities",
  words: ["CycloneDX", "bomFormat", "specVersion", "serialNumber", "vulnerabilities", "ratings", "bom-ref"],
  metrics: ["image_scan", "sast"],

  looksLike: ({ head }) => head.some((record) => isObject(record) && isScan(record)),

  read(document) {
    const severities = noFindings();
    const tools = new Set<string>();
    const scanned = new Set<string>();
    let left = 0;
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const vulnerabilities = listAt(record.vulnerabilities, `${path}vulnerabilities`);
      for (const { entry, path: at } of entriesAt(vulnerabilities, `${path}vulnerabilities`)) {
        if (isObject(entry.analysis) && harmless.includes(entry.analysis.state)) left++;
        else severities[severityIn(entry, at)]++;
      }
      isShown &&= vulnerabilities.length > 0 || hasComponents(record);
      for (const tool of toolsOf(record)) tools.add(tool);
      scanned.add(subjectOf(record));
    }
    const others = [...scanned].filter((subject) => subject !== "container");
    const notes = left > 0 ? [`${left} that do no harm or are resolved, not counted`] : [];
    return {
      severities: measuredCounts(severities, isShown ? "components" : undefined, "lists no components"),
      ...(others.length === 0 && { metric: "image_scan" as ReportMetric }),
      ...(tools.size > 0 && { tool: [...tools].join(", ") }),
      notes,
      imageNotes: others.map((subject) =>
        subject === unnamed ? "it does not say what was scanned" : notAnImage(subject),
      ),
    };
  },
};

function hasComponents({ components }: Fields): boolean {
  return Array.isArray(components) && components.length > 0;
}

/** The kind of component that the document describes. */
function subjectOf({ metadata }: Fields): string {
  const component = isObject(metadata) && isObject(metadata.component) ? metadata.component : {};
  return subjects.find((type) => type === component.type) ?? unnamed;
}

const unnamed = "";
const subjects = ["container", "application", "file", "library", "firmware", "framework", "operating-system", "device"];

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
function toolsOf({ metadata }: Fields): string[] {
  const tools = isObject(metadata) ? metadata.tools : undefined;
  const listed = Array.isArray(tools) ? tools : isObject(tools) ? [tools.components, tools.services].flat() : [];
  return listed.flatMap((tool) => {
    const name = isObject(tool) ? textOf(tool.name) : undefined;
    const version = isObject(tool) ? textOf(tool.version) : undefined;
    return name === undefined ? [] : version === undefined ? name : `${name} ${version}`;
  });
}
