import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf } from "../shape.ts";

/**
 * The output of `pip-audit --format json`: an object in version 2, a list of dependencies in version 1. It has no
 * severities. Skipped dependencies do not count.
 */
export const pipAudit: Format = {
  name: "pip-audit",
  title: "pip-audit JSON",
  words: ["dependencies", "vulns", "fix_versions", "skip_reason", "fixes"],
  time: "none",
  metrics: ["sast"],
  empty: { "[]": "format" },

  // The least after an audit is one dependency with its version and an empty list of vulnerabilities.
  looksLike: ({ head }) => head.some((record) => isObject(record) && (isDependency(record) || isReport(record))),

  read(document) {
    const severities = noFindings();
    let skipped = 0;
    let audited = 0;
    const add = (dependency: Fields, path: string) => {
      if ("skip_reason" in dependency) skipped++;
      else {
        audited++;
        severities.unknown += listAt(dependency.vulns, `${path}vulns`).length;
      }
    };
    for (const { record, path } of objectsOf(document)) {
      if (!("dependencies" in record)) add(record, path);
      else {
        const dependencies = listAt(record.dependencies, `${path}dependencies`);
        for (const { entry, path: at } of entriesAt(dependencies, `${path}dependencies`)) add(entry, `${at}.`);
      }
    }
    // An empty list comes here only if the caller has named the format, and so says that pip-audit wrote it.
    const evidence = audited > 0 || document.empty ? "dependencies" : undefined;
    return {
      severities: measuredCounts(severities, evidence, "names no dependency that was audited"),
      tool: "pip-audit",
      notes: skipped > 0 ? [`${skipped} dependencies were skipped`] : [],
    };
  },
};

function isDependency(record: Fields): boolean {
  return "name" in record && ((Array.isArray(record.vulns) && "version" in record) || "skip_reason" in record);
}

function isReport({ dependencies, ...others }: Fields): boolean {
  if (!Array.isArray(dependencies)) return false;
  const [dependency] = dependencies;
  if (dependency !== undefined) return isObject(dependency) && isDependency(dependency);
  return Object.keys(others).every((key) => key === "fixes");
}
