import type { Document } from "../document.ts";
import { unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { aboutImages, type Subject } from "../naming.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, optionalListAt, textOf } from "../shape.ts";
import { ShownKinds, type TrivyKind } from "./trivy-kinds.ts";

/**
 * Trivy's own JSON: schema 2, the list of results of Trivy ≤ 0.19, and the reports of `trivy kubernetes`.
 * Vulnerabilities count once for each package; suppressed findings, licenses and checks that passed do not. Trivy
 * looks only for what it is asked to. So a report has to prove for each kind of findings that Trivy looked for it. A
 * result of packages proves it of vulnerabilities only with `--list-all-pkgs=false`, because since 0.67 Trivy lists
 * packages also when it looks for secrets alone. Of secrets only a secret proves it, so a clean scan needs
 * `assumeScanned`. Of misconfigurations a result of the class `config` does.
 */
export const trivy: Format = {
  name: "trivy",
  title: "Trivy JSON",
  words: ["SchemaVersion", "ArtifactName", "Results", "Target", "Vulnerabilities", "PkgName", "InstalledVersion"],
  time: { fields: ["CreatedAt"] },
  metrics: ["image_scan", "secret_scan"],
  problems: ["secrets", "misconfigurations", "vulnerabilities"],
  empty: { null: "format" },

  // The least after a scan is a result of packages that lists none, as ShownKinds says. Inventories, and scans for
  // anything else, have the same shape.
  looksLike: ({ head }) =>
    head.some((record) => isObject(record) && (isCluster(record) || isReport(record) || isResult(record))),

  read(document) {
    const severities = noFindings();
    const found = { vulnerabilities: new Findings(), secrets: new Findings(), misconfigurations: new Findings() };
    const shown = new ShownKinds();
    const scanned = new Set<Subject>();
    let suppressed = 0;
    for (const { result, path, report } of resultsOf(document)) {
      for (const { entry } of entriesAt(result.Vulnerabilities, `${path}.Vulnerabilities`)) {
        const severity = severityOf(entry.Severity);
        severities[severity]++;
        found.vulnerabilities.add({
          file: entry.PkgPath || result.Target,
          description: [entry.VulnerabilityID, entry.PkgName, entry.InstalledVersion].filter(textOf).join(" "),
          severity,
        });
      }
      for (const { entry } of entriesAt(result.Secrets, `${path}.Secrets`)) {
        found.secrets.add({
          file: result.Target,
          line: entry.StartLine,
          description: entry.Title ?? entry.RuleID,
          severity: severityOf(entry.Severity),
          secrets: [entry.Match],
        });
      }
      for (const { entry } of entriesAt(result.Misconfigurations, `${path}.Misconfigurations`)) {
        if (entry.Status !== undefined && entry.Status !== "FAIL") continue;
        found.misconfigurations.add({
          file: result.Target,
          line: isObject(entry.CauseMetadata) ? entry.CauseMetadata.StartLine : undefined,
          description: entry.Title,
          severity: severityOf(entry.Severity),
        });
      }
      suppressed += optionalListAt(result.ExperimentalModifiedFindings, `${path}.ExperimentalModifiedFindings`).length;
      shown.add(result, report);
      scanned.add(subjectOf(report));
    }
    const { version, failed } = aboutOf(document);
    const notes = suppressed > 0 ? [`${suppressed} suppressed, not counted`] : [];
    const problem = (kind: TrivyKind) => {
      const { list } = found[kind];
      return measuredBy(list, list.count, evidenceOf(kind), shown.missing(kind));
    };
    // `null` is the empty report of Trivy 0.19, which looked only for vulnerabilities. The caller has named the format.
    const evidenceOf = (kind: TrivyKind) =>
      document.empty && kind === "vulnerabilities" ? "a report of Trivy" : shown.evidenceOf(kind);
    const { count } = found.vulnerabilities.list;
    return {
      severities: measuredBy(severities, count, evidenceOf("vulnerabilities"), shown.missing("vulnerabilities")),
      findings: {
        vulnerabilities: problem("vulnerabilities"),
        secrets: problem("secrets"),
        misconfigurations: problem("misconfigurations"),
      },
      ...aboutImages(scanned),
      tool: version === undefined ? "Trivy" : `Trivy ${version}`,
      warnings: failed > 0 ? [`${failed} resources could not be scanned`] : [],
      notes,
    };
  },
};

/**
 * The lists of resources in reports of `trivy kubernetes`: of current versions, of `--report summary`, and of older
 * versions.
 */
const clusterLists = ["Resources", "Findings", "Vulnerabilities", "Misconfigurations"];

function isCluster(record: Fields): boolean {
  return "ClusterName" in record;
}

/** Whether this is a report of Trivy. Its version is a number; in security findings of AWS it is a date. */
function isReport({ SchemaVersion: version }: Fields): boolean {
  return typeof version === "number";
}

function isResult(record: Fields): boolean {
  const listed = ["Vulnerabilities", "Type", "Class", "Misconfigurations", "Secrets"];
  // Reports of Netsparker, Invicti and Acunetix 360 have Target and Vulnerabilities too, but their Target is an object.
  return typeof record.Target === "string" && listed.some((key) => key in record);
}

/** A result and its report; `report` is undefined in the list of Trivy ≤ 0.19. */
interface Result {
  readonly result: Fields;
  readonly path: string;
  readonly report: Fields | undefined;
}

/** All results. Each report also gives an empty one, so that a report without results is not overlooked. */
function* resultsOf(document: Document): Generator<Result> {
  for (const { record, path } of objectsOf(document)) {
    const ofWhole = (one: { result: Fields; path: string }) => ({ ...one, report: record });
    if (isCluster(record) || isReport(record)) {
      yield { result: {}, path, report: record };
      for (const one of isCluster(record) ? ofCluster(record, path) : ofReport(record, path)) yield ofWhole(one);
    } else if (isResult(record)) yield { result: record, path: `${path}result`, report: undefined };
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

const otherArtifacts = ["filesystem", "repository", "vm", "cyclonedx", "spdx"];

/** What was scanned. The list of Trivy ≤ 0.19 does not say it. */
function subjectOf(report: Fields | undefined): Subject {
  if (report === undefined) return undefined;
  if (isCluster(report)) return "cluster";
  const { ArtifactType: type } = report;
  return type === "container_image" ? "image" : otherArtifacts.find((each) => each === type);
}

/** The version of Trivy, and how many resources of a cluster could not be scanned. */
function aboutOf({ head }: Document): { version: string | undefined; failed: number } {
  const report = isObject(head[0]) ? head[0] : {};
  const resources = clusterLists.flatMap((list) => report[list]);
  return {
    failed: resources.filter((resource) => isObject(resource) && textOf(resource.Error)).length,
    version: isObject(report.Trivy) ? textOf(report.Trivy.Version) : undefined,
  };
}
