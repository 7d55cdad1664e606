import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { aboutImages, type Subject } from "../naming.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectAt, objectsOf, optionalListAt, textOf } from "../shape.ts";

/**
 * The output of Grype's `-o json`: a match for each vulnerability of each package. Negligible is low; ignored matches
 * do not count. Where nothing is found, the type of `source` shows the scan. Without `source.type: image` a note says
 * that it was no image.
 */
export const grype: Format = {
  name: "grype",
  title: "Grype JSON",
  words: ["matches", "descriptor", "vulnerability", "artifact", "matchDetails", "ignoredMatches", "grype"],
  time: { fields: ["descriptor.timestamp"] },
  metrics: ["image_scan"],

  // The least after a scan is an empty list of matches with the source and the descriptor of Grype. Syft has both for
  // an inventory.
  looksLike: ({ head }) =>
    head.some((record) => {
      if (!isObject(record) || !("matches" in record || "descriptor" in record)) return false;
      const [match] = Array.isArray(record.matches) ? record.matches : [];
      if (isObject(match)) return "vulnerability" in match;
      return isObject(record.descriptor)
        ? record.descriptor.name === "grype"
        : "source" in record || "distro" in record;
    }),

  read(document) {
    const severities = noFindings();
    let ignored = 0;
    let version: string | undefined;
    const scanned: Subject[] = [];
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const matches = listAt(record.matches, `${path}matches`);
      for (const { entry, path: at } of entriesAt(matches, `${path}matches`)) {
        const { severity } = objectAt(entry.vulnerability, `${at}.vulnerability`);
        severities[severityOf(severity, { negligible: "low" })]++;
      }
      ignored += optionalListAt(record.ignoredMatches, `${path}ignoredMatches`).length;
      if (isObject(record.descriptor)) version ??= textOf(record.descriptor.version);
      const { type } = isObject(record.source) ? record.source : {};
      isShown &&= textOf(type) !== undefined && isGrype(record);
      scanned.push(sources.find((source) => source === type));
    }
    const notes = ignored > 0 ? [`${ignored} ignored, not counted`] : [];
    return {
      severities: measuredCounts(
        severities,
        isShown ? "source" : undefined,
        "does not say which tool scanned what: it has no descriptor of Grype, or no source",
      ),
      tool: version === undefined ? "Grype" : `Grype ${version}`,
      notes,
      ...aboutImages(scanned),
    };
  },
};

function isGrype({ descriptor }: Fields): boolean {
  return isObject(descriptor) && descriptor.name === "grype";
}

/** Values of `source.type`. */
const sources = ["image", "directory", "file", "snap", "sbom", "purl"];
