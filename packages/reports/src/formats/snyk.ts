import { ReportError } from "../errors.ts";
import type { Format } from "../format.ts";
import { noFindings, type SeverityCounts, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf } from "../shape.ts";

/** `snyk container test --json` and `snyk test --json`: one project, or a list of them, each with its applications. */
export const snyk: Format = {
  name: "snyk",
  title: "Snyk JSON",
  metrics: ["image_scan"],

  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ["vulnerabilities", "error"].some((key) => key in record) &&
        ["ok", "packageManager", "dependencyCount", "licensesPolicy"].some((key) => key in record),
    ) || head.some((record) => isObject(record) && isSnykIssue(record.vulnerabilities)),

  read(document) {
    const severities = noFindings();
    let licenses = 0;
    for (const { record, path } of objectsOf(document)) {
      licenses += addProject(record, path, severities);
      for (const { entry, path: at } of entriesAt(record.applications, `${path}applications`)) {
        licenses += addProject(entry, `${at}.`, severities);
      }
    }
    return {
      severities,
      tool: "Snyk",
      notes: licenses > 0 ? [`${licenses} license issues, not counted`] : [],
    };
  },
};

function isSnykIssue(vulnerabilities: unknown): boolean {
  const [issue] = Array.isArray(vulnerabilities) ? vulnerabilities : [];
  return isObject(issue) && "severity" in issue && ("CVSSv3" in issue || "packageManager" in issue || "from" in issue);
}

/** Adds the vulnerabilities of one project and returns the number of its license issues. */
function addProject(project: Fields, path: string, severities: SeverityCounts): number {
  if ("error" in project && !("vulnerabilities" in project)) {
    throw new ReportError("failed-scan", `${path}the scan ended with an error`);
  }
  let licenses = 0;
  for (const { entry } of entriesAt(
    listAt(project.vulnerabilities, `${path}vulnerabilities`),
    `${path}vulnerabilities`,
  )) {
    if (entry.type === "license") licenses++;
    else severities[severityOf(entry.severity)]++;
  }
  return licenses;
}
