import { ReportError, unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { aboutImages, type Subject } from "../naming.ts";
import { noFindings, type SeverityCounts, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, listAt, objectsOf, textOf } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/**
 * The output of `snyk container test --json` and `snyk test --json`: a project or a list of projects, each with its
 * applications. A vulnerability counts once for an id, package and version, however many dependency paths lead to it;
 * license issues do not. Where nothing is found, `dependencyCount` has to be above 0. A project that ended with an
 * error is refused, and so is a project that states more issues than it lists.
 */
export const snyk: Format = {
  name: "snyk",
  title: "Snyk JSON",
  words: ["packageManager", "dependencyCount", "uniqueCount", "licensesPolicy", "vulnerabilities", "isUpgradable"],
  time: "none",
  metrics: ["image_scan"],

  // The least after a test is a number of dependencies above 0. Without it, this may be any answer of an API.
  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ["vulnerabilities", "error"].some((key) => key in record) &&
        ["ok", "packageManager", "dependencyCount", "licensesPolicy"].some((key) => key in record),
    ) || head.some((record) => isObject(record) && isSnykIssue(record.vulnerabilities)),

  read(document) {
    const totals = { severities: noFindings(), issues: 0, paths: 0, licenses: 0 };
    const scanned: Subject[] = [];
    let isShown = false;
    for (const { record, path } of objectsOf(document)) {
      const seen = new Set<string>();
      scanned.push(subjectOf(record));
      isShown ||= isPositive(record.dependencyCount);
      addProject(record, path, totals, seen);
      for (const { entry, path: at } of entriesAt(record.applications, `${path}applications`)) {
        addProject(entry, `${at}.`, totals, seen);
        refuseUnlisted(entry, `${at}.`);
        isShown ||= isPositive(entry.dependencyCount);
      }
      refuseUnlisted(record, path);
    }
    const { severities, issues, paths, licenses } = totals;
    const notes = licenses > 0 ? [`${licenses} license issues, not counted`] : [];
    if (paths > issues) notes.push(`${issues} vulnerabilities by ${paths} dependency paths, each counted once`);
    return {
      severities: measuredCounts(severities, isShown ? "dependencyCount" : undefined, "counts no dependencies"),
      tool: "Snyk",
      notes,
      ...aboutImages(scanned),
    };
  },
};

function isSnykIssue(vulnerabilities: unknown): boolean {
  const [issue] = Array.isArray(vulnerabilities) ? vulnerabilities : [];
  return isObject(issue) && "severity" in issue && ("CVSSv3" in issue || "packageManager" in issue || "from" in issue);
}

/**
 * What was scanned. `snyk container` says which image it was; older versions name the project after it. Without any of
 * this, and without the folder of a project, it does not say.
 */
function subjectOf({ docker, projectName, path, packageManager }: Fields): Subject {
  if (isObject(docker) || textOf(projectName)?.startsWith("docker-image|")) return "image";
  if (["deb", "apk", "rpm", "linux", "docker"].some((manager) => manager === packageManager)) return "image";
  return textOf(path) === undefined ? undefined : "project";
}

/** Refuses a project that states issues that neither it nor its applications list. `uniqueCount` counts ids, of licenses too. */
function refuseUnlisted(project: Fields, path: string): void {
  const ids = new Set<unknown>();
  const applications = [...entriesAt(project.applications, "")].map(({ entry }) => entry);
  for (const { vulnerabilities } of [project, ...applications]) {
    for (const { entry } of entriesAt(vulnerabilities, "")) ids.add(textOf(entry.id) ?? entry);
  }
  refuseTruncated(project.uniqueCount, ids.size, `${path}uniqueCount`);
  if (project.ok === false && ids.size === 0) {
    throw unreadable(`${path}ok says that there are issues, but it lists none`);
  }
}

interface Totals {
  readonly severities: SeverityCounts;
  issues: number;
  /** Number of listed issues. Snyk lists an issue once for each dependency path that leads to it. */
  paths: number;
  licenses: number;
}

/** @param seen the issues of the document so far, because each id counts once for a package and version */
function addProject(project: Fields, path: string, totals: Totals, seen: Set<string>): void {
  if ("error" in project && !("vulnerabilities" in project)) {
    throw new ReportError("failed-scan", `${path}the scan ended with an error`);
  }
  const vulnerabilities = listAt(project.vulnerabilities, `${path}vulnerabilities`);
  for (const { entry } of entriesAt(vulnerabilities, `${path}vulnerabilities`)) {
    if (entry.type === "license") {
      totals.licenses++;
      continue;
    }
    totals.paths++;
    const identity = JSON.stringify([entry.id, entry.packageName ?? entry.moduleName, entry.version]);
    if (textOf(entry.id) && seen.has(identity)) continue;
    seen.add(identity);
    totals.issues++;
    totals.severities[severityOf(entry.severity)]++;
  }
}
