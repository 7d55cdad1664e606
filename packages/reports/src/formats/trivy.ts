import type { Document } from "../document.ts";
import { unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, optionalListAt, textOf } from "../shape.ts";

/**
 * Trivy's own JSON: schema 2, the bare list of results of Trivy ≤ 0.19, and the reports of `trivy kubernetes`.
 * Vulnerabilities feed image_scan; secrets and failed misconfigurations are problems.
 */
export const trivy: Format = {
  name: "trivy",
  title: "Trivy JSON",
  metrics: ["image_scan", "secret_scan"],
  problems: true,
  empty: { null: "format" },

  looksLike: ({ head }) =>
    head.some((record) => isObject(record) && (isCluster(record) || isReport(record) || isResult(record))),

  read(document) {
    const severities = noFindings();
    const secrets = new Findings();
    const problem = new Findings();
    let suppressed = 0;
    const classes = new Set<unknown>();
    for (const { result, path } of resultsOf(document)) {
      classes.add(result.Class);
      for (const { entry } of entriesAt(result.Vulnerabilities, `${path}.Vulnerabilities`)) {
        severities[severityOf(entry.Severity)]++;
      }
      for (const { entry } of entriesAt(result.Secrets, `${path}.Secrets`)) {
        const finding = {
          file: result.Target,
          line: entry.StartLine,
          description: entry.Title ?? entry.RuleID,
          severity: severityOf(entry.Severity),
          secrets: [entry.Match],
        };
        secrets.add(finding);
        problem.add(finding);
      }
      for (const { entry } of entriesAt(result.Misconfigurations, `${path}.Misconfigurations`)) {
        if (entry.Status !== undefined && entry.Status !== "FAIL") continue;
        problem.add({
          file: result.Target,
          line: isObject(entry.CauseMetadata) ? entry.CauseMetadata.StartLine : undefined,
          description: entry.Title,
          severity: severityOf(entry.Severity),
        });
      }
      suppressed += optionalListAt(result.ExperimentalModifiedFindings, `${path}.ExperimentalModifiedFindings`).length;
    }
    const { version, scanned, failed } = aboutOf(document);
    const notes = suppressed > 0 ? [`${suppressed} suppressed, not counted`] : [];
    if (scanned !== undefined) notes.push(`scanned was a ${scanned}, not an image`);
    if (failed > 0) notes.push(`${failed} resources could not be scanned`);
    if (classes.size > 0 && [...classes].every((each) => withoutPackages.includes(each))) {
      notes.push("no packages are listed, so vulnerabilities may not have been looked for");
    }
    return {
      severities,
      secrets: secrets.problem,
      problem: problem.problem,
      tool: version === undefined ? "Trivy" : `Trivy ${version}`,
      notes,
    };
  },
};

/** What `trivy kubernetes` lists by resource: current versions, `--report summary`, and older ones. */
const clusterLists = ["Resources", "Findings", "Vulnerabilities", "Misconfigurations"];

function isCluster(record: Fields): boolean {
  return "ClusterName" in record;
}

function isReport(record: Fields): boolean {
  return "SchemaVersion" in record;
}

function isResult(record: Fields): boolean {
  const listed = ["Vulnerabilities", "Type", "Class", "Misconfigurations", "Secrets"];
  return "Target" in record && listed.some((key) => key in record);
}

function* resultsOf(document: Document): Generator<{ result: Fields; path: string }> {
  for (const { record, path } of objectsOf(document)) {
    if (isCluster(record)) yield* ofCluster(record, path);
    else if (isReport(record)) yield* ofReport(record, path);
    else if (isResult(record)) yield { result: record, path: `${path}result` };
    else throw unreadable(`${path || "it "}must be a report or a result of one`);
  }
}

function* ofReport(report: Fields, path: string): Generator<{ result: Fields; path: string }> {
  if (!("Results" in report || "ArtifactName" in report || "ArtifactType" in report)) {
    throw unreadable(`${path}Results and ArtifactName are missing`);
  }
  for (const { entry, path: at } of entriesAt(report.Results, `${path}Results`)) yield { result: entry, path: at };
}

function* ofCluster(cluster: Fields, path: string): Generator<{ result: Fields; path: string }> {
  if (!clusterLists.some((list) => list in cluster)) {
    throw unreadable(`${path}none of ${clusterLists.join(", ")} is there`);
  }
  for (const list of clusterLists) {
    for (const { entry, path: at } of entriesAt(cluster[list], `${path}${list}`)) {
      for (const result of entriesAt(entry.Results, `${at}.Results`)) yield { result: result.entry, path: result.path };
    }
  }
}

/** Classes of results that cannot have vulnerabilities. Old versions and `trivy kubernetes` may write no class. */
const withoutPackages: readonly unknown[] = ["config", "secret", "license", "license-file", "custom"];

const otherArtifacts = ["filesystem", "repository", "vm", "cyclonedx", "spdx"];

/** The version of Trivy, what was scanned if that was no image, and how many resources of a cluster were not. */
function aboutOf({ head }: Document): { version: string | undefined; scanned: string | undefined; failed: number } {
  const report = isObject(head[0]) ? head[0] : {};
  const resources = clusterLists.flatMap((list) => report[list]);
  return {
    failed: resources.filter((resource) => isObject(resource) && textOf(resource.Error)).length,
    version: isObject(report.Trivy) ? textOf(report.Trivy.Version) : undefined,
    scanned: otherArtifacts.find((type) => type === report.ArtifactType),
  };
}
