import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOfScore } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, optionalListAt } from "../shape.ts";

/**
 * The output of `osv-scanner --format json`. A group has all ids of one vulnerability, and counts once for each
 * package.
 *
 * Without a group it shows a scan only by packages beside `experimental_config`, as `--all-packages` writes it. The
 * files that OSV-Scanner takes as input (`--lockfile osv-scanner:FILE`) have packages too, but not this key, and mostly
 * no path of their source.
 */
export const osvScanner: Format = {
  name: "osv-scanner",
  title: "OSV-Scanner JSON",
  words: ["results", "source", "packages", "groups", "max_severity", "ecosystem", "experimental_config"],
  time: "none",
  metrics: ["sast"],
  empty: { '{"results":[]}': "format" },

  // The least after a scan is one package of a source with its path, beside experimental_config. Inputs of OSV-Scanner
  // lack one of these.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isReport(record)),

  read(document) {
    const severities = noFindings();
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      if (!("results" in record)) throw unreadable(`${path || "record 1: "}results is missing`);
      isShown &&= optionalListAt(record.results, `${path}results`).length > 0 && isObject(record.experimental_config);
      for (const { entry: source, path: ofSource } of entriesAt(record.results, `${path}results`)) {
        const packages = listAt(source.packages, `${ofSource}.packages`);
        for (const { entry, path: at } of entriesAt(packages, `${ofSource}.packages`)) {
          if (!("groups" in entry)) {
            severities.unknown += optionalListAt(entry.vulnerabilities, `${at}.vulnerabilities`).length;
          }
          for (const { entry: group } of entriesAt(entry.groups, `${at}.groups`)) {
            severities[severityOfScore(group.max_severity)]++;
          }
        }
      }
    }
    const evidence = isShown ? "results" : undefined;
    return {
      severities: measuredCounts(severities, evidence, "lists no package that was scanned"),
      tool: "OSV-Scanner",
    };
  },
};

function isReport(record: Fields): boolean {
  if (!("results" in record)) return false;
  const [source] = Array.isArray(record.results) ? record.results : [];
  if (source !== undefined) return isObject(source) && hasPath(source) && "packages" in source;
  return "experimental_config" in record || "image_metadata" in record;
}

function hasPath({ source }: Fields): boolean {
  return isObject(source) && "path" in source;
}
