import { ReportError, unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { type Fields, isObject, isPositive, objectAt, objectsOf } from "../shape.ts";
import { refuseLost } from "../stated.ts";

const words = { moderate: "medium", info: "info" } as const;

/**
 * The output of `npm audit --json`. npm 7 and later list packages, including those that inherit a vulnerability from
 * another package. npm 6 and pnpm list advisories.
 */
export const npmAudit: Format = {
  name: "npm-audit",
  title: "npm audit JSON",
  words: ["auditReportVersion", "advisories", "via", "effects", "fixAvailable", "isDirect", "metadata", "muted"],
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
      refuseLost(statedIn(record), entries.length, `${path}metadata.vulnerabilities.total`);
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
 * The total of npm 7 and later. pnpm has none, and its other counts include vulnerabilities that it was told to ignore.
 */
function statedIn({ metadata }: Fields): unknown {
  return isObject(metadata) && isObject(metadata.vulnerabilities) ? metadata.vulnerabilities.total : undefined;
}

/** The number of dependencies. Undefined if the report does not state it. */
function dependenciesOf({ metadata }: Fields): unknown {
  if (!isObject(metadata)) return undefined;
  if (isObject(metadata.dependencies)) return metadata.dependencies.total;
  return metadata.totalDependencies ?? metadata.dependencies;
}
