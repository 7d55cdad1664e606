import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, type Severity, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectAt, optionalListAt, textOf } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/**
 * The output of `safety check --json`: a list of lists in version 1, an object in versions 2 and 3. Without a
 * commercial key it has no severities. `ignored_vulnerabilities` do not count.
 */
export const safety: Format = {
  name: "safety",
  title: "Safety JSON",
  words: [
    "report_meta",
    "scanned_packages",
    "affected_packages",
    "vulnerabilities",
    "ignored_vulnerabilities",
    "safety_version",
  ],
  time: { fields: ["report_meta.timestamp"] },
  metrics: ["sast"],
  empty: { "[]": "format" },

  // The least after a check is a number of packages above 0. Rows of version 1 are distinguished from other tables by their
  // cells.
  looksLike: ({ head }) =>
    head.some((record) => isRow(record) || (isObject(record) && isObject(record.report_meta) && isReport(record))),

  read(document) {
    const severities = noFindings();
    let isSilent = false;
    let ignored = 0;
    let version: string | undefined;
    for (const record of document.records()) {
      if (isRow(record)) severities.unknown++;
      else if (!isObject(record)) throw unreadable("each record must be a report or a finding");
      else {
        const meta = objectAt(record.report_meta, "report_meta");
        const found = listAt(record.vulnerabilities, "vulnerabilities");
        for (const { entry } of entriesAt(found, "vulnerabilities")) severities[severityIn(entry)]++;
        isSilent ||= found.length === 0 && !hasPackages(record, meta);
        const left = optionalListAt(record.ignored_vulnerabilities, "ignored_vulnerabilities").length;
        refuseTruncated(meta.vulnerabilities_found, found.length + left, "report_meta.vulnerabilities_found");
        ignored += left;
        version ??= textOf(meta.safety_version);
      }
    }
    return {
      severities: measuredCounts(severities, isSilent ? undefined : "packages", "names no packages"),
      tool: version === undefined ? "Safety" : `Safety ${version}`,
      notes: ignored > 0 ? [`${ignored} ignored, not counted`] : [],
    };
  },
};

/**
 * Whether this is a row of version 1: package, vulnerable versions, installed version, advisory, id. Any table may be a
 * list of lists of texts, so the vulnerable versions must begin with a comparison and the id must be a number.
 */
function isRow(record: unknown): boolean {
  if (!Array.isArray(record) || !record.slice(0, 5).every((cell) => typeof cell === "string")) return false;
  const [name, vulnerable, , , id] = record;
  return /^[A-Za-z0-9][\w.-]*$/.test(name) && /^\s*[<>=!~]/.test(vulnerable) && /^\d+$/.test(id);
}

function isReport(record: Fields): boolean {
  return "vulnerabilities" in record || "scanned_packages" in record || "affected_packages" in record;
}

function hasPackages({ scanned_packages }: Fields, { packages_found }: Fields): boolean {
  if (typeof packages_found === "number") return packages_found > 0;
  return isObject(scanned_packages) && Object.keys(scanned_packages).length > 0;
}

/** The severity: a word, or an object with a CVSS that has one. It is null if Safety ran without a commercial key. */
function severityIn({ severity }: Fields): Severity | "unknown" {
  const cvss = isObject(severity) ? severity.cvssv3 : undefined;
  return severityOf(isObject(cvss) ? cvss.base_severity : severity);
}
