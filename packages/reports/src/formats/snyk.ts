import { ReportError } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { notAnImage } from "../not-an-image.ts";
import { noFindings, type SeverityCounts, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, listAt, objectsOf, textOf } from "../shape.ts";

/**
 * The output of `snyk container test --json` and `snyk test --json`: a project or a list of projects, each with its
 * applications.
 */
export const snyk: Format = {
  name: "snyk",
  title: "Snyk JSON",
  words: ["packageManager", "dependencyCount", "uniqueCount", "licensesPolicy", "vulnerabilities", "isUpgradable"],
  metrics: ["image_scan"],
  metric: "image_scan",

  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ["vulnerabilities", "error"].some((key) => key in record) &&
        ["ok", "packageManager", "dependencyCount", "licensesPolicy"].some((key) => key in record),
    ) || head.some((record) => isObject(record) && isSnykIssue(record.vulnerabilities)),

  read(document) {
    const tally = { severities: noFindings(), issues: 0, paths: 0, licenses: 0 };
    let projects = 0;
    let isShown = false;
    for (const { record, path } of objectsOf(document)) {
      const seen = new Set<string>();
      if (!isImage(record)) projects++;
      isShown ||= isPositive(record.dependencyCount);
      addProject(record, path, tally, seen);
      for (const { entry, path: at } of entriesAt(record.applications, `${path}applications`)) {
        addProject(entry, `${at}.`, tally, seen);
        isShown ||= isPositive(entry.dependencyCount);
      }
    }
    const { severities, issues, paths, licenses } = tally;
    const notes = licenses > 0 ? [`${licenses} license issues, not counted`] : [];
    if (paths > issues) notes.push(`${issues} vulnerabilities by ${paths} dependency paths, each counted once`);
    return {
      severities: measuredCounts(severities, isShown ? "dependencyCount" : undefined, "counts no dependencies"),
      tool: "Snyk",
      notes,
      ...(projects > 0 && { imageNotes: [notAnImage("project")] }),
    };
  },
};

function isSnykIssue(vulnerabilities: unknown): boolean {
  const [issue] = Array.isArray(vulnerabilities) ? vulnerabilities : [];
  return isObject(issue) && "severity" in issue && ("CVSSv3" in issue || "packageManager" in issue || "from" in issue);
}

/**
 * Whether a project is an image. `snyk container` says which image it was; older versions name the project after it.
 */
function isImage({ docker, projectName, path, packageManager }: Fields): boolean {
  if (isObject(docker) || textOf(projectName)?.startsWith("docker-image|")) return true;
  return (
    ["deb", "apk", "rpm", "linux", "docker"].some((manager) => manager === packageManager) || textOf(path) === undefined
  );
}

interface Tally {
  readonly severities: SeverityCounts;
  issues: number;
  /** Number of listed issues. Snyk lists an issue once for each dependency path that leads to it. */
  paths: number;
  licenses: number;
}

/** @param seen the issues of the document so far, because each id counts once for a package and version */
function addProject(project: Fields, path: string, tally: Tally, seen: Set<string>): void {
  if ("error" in project && !("vulnerabilities" in project)) {
    throw new ReportError("failed-scan", `${path}the scan ended with an error`);
  }
  const vulnerabilities = listAt(project.vulnerabilities, `${path}vulnerabilities`);
  for (const { entry } of entriesAt(vulnerabilities, `${path}vulnerabilities`)) {
    if (entry.type === "license") {
      tally.licenses++;
      continue;
    }
    tally.paths++;
    const identity = JSON.stringify([entry.id, entry.packageName ?? entry.moduleName, entry.version]);
    if (textOf(entry.id) && seen.has(identity)) continue;
    seen.add(identity);
    tally.issues++;
    tally.severities[severityOf(entry.severity)]++;
  }
}
