import { ReportError, unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, objectAt, objectsOf, optionalListAt } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

const words = { moderate: "medium", info: "info" } as const;

/**
 * The output of `npm audit --json`. npm 7 and later list packages, including those that inherit a vulnerability from
 * another package. npm 6 and pnpm list advisories. moderate is medium. Without dependencies it shows nothing.
 */
export const npmAudit: Format = {
  name: "npm-audit",
  title: "npm audit JSON",
  words: ["auditReportVersion", "advisories", "via", "effects", "fixAvailable", "isDirect", "metadata", "muted"],
  time: "none",
  metrics: ["sast"],

  // The least after an audit is a number of dependencies above 0.
  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ("auditReportVersion" in record ||
          (isObject(record.advisories) && ["metadata", "muted", "actions"].some((key) => key in record)) ||
          isFailure(record)),
    ),

  read(document) {
    const severities = noFindings();
    let isSilent = false;
    for (const { record, path } of objectsOf(document)) {
      if (isFailure(record)) throw new ReportError("failed-scan", `${path}npm says that it could not audit`);
      const key = "auditReportVersion" in record ? "vulnerabilities" : "advisories";
      const entries = Object.entries(objectAt(record[key], `${path}${key}`));
      refuseTruncated(statedIn(record), listedIn(record, entries), `${path}metadata.vulnerabilities`);
      isSilent ||= entries.length === 0 && !isPositive(dependenciesOf(record));
      for (const [name, entry] of entries) {
        if (!isObject(entry)) throw unreadable(`${path}${key}: the entry ${name.slice(0, 100)} must be an object`);
        severities[severityOf(entry.severity, words)]++;
      }
    }
    return {
      severities: measuredCounts(severities, isSilent ? undefined : "dependencies", "counts no dependencies"),
      tool: "npm audit",
    };
  },
};

/**
 * Whether this is an error in place of a report. npm writes one since version 6, also for registries that have no
 * audits.
 */
function isFailure({ error, vulnerabilities, advisories }: Fields): boolean {
  return isObject(error) && "summary" in error && vulnerabilities === undefined && advisories === undefined;
}

/**
 * How many vulnerabilities the metadata counts. npm 7 and later state a total beside the counts by severity; the larger
 * of both is meant. npm 6 has only counts by severity, and so has pnpm; but those of pnpm include vulnerabilities that it
 * was set to ignore, so they are not used. Only npm 6 names its run.
 */
function statedIn({ metadata, runId }: Fields): number | undefined {
  const { total, ...counts } = isObject(metadata) && isObject(metadata.vulnerabilities) ? metadata.vulnerabilities : {};
  if (runId === undefined && typeof total !== "number") return undefined;
  const sum = Object.values(counts).reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
  return typeof total === "number" ? Math.max(total, sum) : sum;
}

/** What these counts are about: packages, or in npm 6 the paths through the dependencies that lead to an advisory. */
function listedIn({ runId }: Fields, entries: readonly (readonly [string, unknown])[]): number {
  if (runId === undefined) return entries.length;
  let paths = 0;
  for (const [id, advisory] of entries) {
    const at = `advisories.${id.slice(0, 100)}.findings`;
    for (const { entry } of entriesAt(isObject(advisory) ? advisory.findings : undefined, at)) {
      paths += optionalListAt(entry.paths, `${at} paths`).length;
    }
  }
  return paths;
}

/** The number of dependencies. Undefined if the report does not state it. */
function dependenciesOf({ metadata }: Fields): unknown {
  if (!isObject(metadata)) return undefined;
  if (isObject(metadata.dependencies)) return metadata.dependencies.total;
  return metadata.totalDependencies ?? metadata.dependencies;
}
