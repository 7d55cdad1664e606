import { ReportError, unreadable } from "../errors.ts";
import { Findings, type Problem, type RawFinding } from "../findings.ts";
import type { Facts, Format } from "../format.ts";
import type { FindingKind, ReportMetric } from "../kinds.ts";
import { measuredBy, measuredCounts } from "../measurement.ts";
import { own } from "../own.ts";
import { noFindings, type SeverityCounts, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

/** What a scan of a kind feeds, the metric it is made for, and what its findings are. */
interface Kind {
  readonly metrics: readonly ReportMetric[];
  /** Absent where there is no metric of its own: dependencies only count as sast if the caller says so. */
  readonly metric?: ReportMetric;
  readonly finds: FindingKind;
}

const image: Kind = { metrics: ["image_scan"], metric: "image_scan", finds: "vulnerabilities" };
const kinds: Readonly<Record<string, Kind>> = {
  sast: { metrics: ["sast"], metric: "sast", finds: "findings" },
  secret_detection: { metrics: ["secret_scan"], metric: "secret_scan", finds: "secrets" },
  container_scanning: image,
  cluster_image_scanning: image,
  dependency_scanning: { metrics: ["sast"], finds: "vulnerabilities" },
  dast: { metrics: ["dast"], metric: "dast", finds: "findings" },
  api_fuzzing: { metrics: ["dast"], metric: "dast", finds: "findings" },
  coverage_fuzzing: { metrics: [], finds: "findings" },
};

/**
 * GitLab's security reports, such as `gl-sast-report.json`, schemas 2 to 15. What they feed depends on the kind of scan. Those
 * of schema 2 only name it in their entries; where nothing does, the caller has to say what the report is for.
 */
export const gitlab: Format = {
  name: "gitlab",
  title: "GitLab security JSON",
  words: ["vulnerabilities", "remediations", "scan", "scanner", "identifiers", "start_line", "category"],
  metrics: ["sast", "secret_scan", "image_scan", "dast"],
  problems: ["findings", "secrets", "vulnerabilities"],

  looksLike: ({ head }) => head.some((record) => isObject(record) && isReport(record)),

  read(document) {
    const severities = noFindings();
    const findings = new Findings();
    const named = new Set<string>();
    const tools = new Set<string>();
    let dismissed = 0;
    let failed = 0;
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const scan = isObject(record.scan) ? record.scan : {};
      const entries = listAt(record.vulnerabilities, `${path}vulnerabilities`);
      if (scan.status === "failure") {
        if (entries.length === 0) throw new ReportError("failed-scan", `${path}scan.status says that the scan failed`);
        failed++;
      }
      for (const { entry } of entriesAt(entries, `${path}vulnerabilities`)) {
        const kind = scan.type ?? kindOf(entry);
        if (typeof kind === "string") named.add(kind);
        if (isDismissed(entry)) dismissed++;
        else {
          const severity = severityOf(entry.severity, { info: "info" });
          severities[severity]++;
          findings.add({ ...findingOf(entry), severity });
        }
      }
      if (typeof scan.type === "string") named.add(scan.type);
      isShown &&= entries.length > 0 || showsScan(scan, record);
      if (isObject(scan.scanner)) tools.add(toolOf(scan.scanner));
    }
    const notes = dismissed > 0 ? [`${dismissed} dismissed or flagged as false positives, not counted`] : [];
    const { problem } = findings;
    return {
      ...factsOf(named, severities, problem, isShown),
      ...(tools.size > 0 && { tool: [...tools].join(", ") }),
      warnings: failed > 0 ? ["the report says that the scan failed, so it may not have seen everything"] : [],
      notes,
    };
  },
};

function isReport({ scan, version, vulnerabilities, remediations, ...others }: Fields): boolean {
  if (isObject(scan) && "type" in scan && ("scanner" in scan || "status" in scan)) return vulnerabilities !== undefined;
  if (!Array.isArray(vulnerabilities) || "bomFormat" in others || "report_meta" in others) return false;
  const [entry] = vulnerabilities;
  if (entry === undefined) return typeof version === "string" && Array.isArray(remediations);
  return isObject(entry) && "identifiers" in entry && isObject(entry.location);
}

/** What can be told of scans of these kinds. */
function factsOf(named: ReadonlySet<string>, severities: SeverityCounts, problem: Problem, isShown: boolean): Facts {
  const [name, another] = named;
  if (another !== undefined) throw unreadable("has several kinds of scan: give each report a file of its own");
  if (name === undefined) {
    const counts = measuredCounts(severities, undefined, "does not say which kind of scan it is of");
    return counts.measured
      ? { severities: counts }
      : { severities: counts, findings: { findings: counts, secrets: counts, vulnerabilities: counts } };
  }
  const evidence = isShown ? "the kind of the scan" : undefined;
  const { metrics, metric, finds } = own(kinds, name) ?? { metrics: [], finds: "findings" };
  return {
    ...(finds !== "secrets" && { severities: measuredCounts(severities, evidence, unscanned) }),
    findings: { [finds]: measuredBy(problem, problem.count, evidence, unscanned) },
    problem: finds,
    metrics,
    ...(metric && { metric }),
  };
}

const unscanned =
  "does not show that anything was scanned: scan.scanned_resources or dependency_files is empty or missing";

/**
 * Of DAST the schema wants the resources that were visited. Others that list what they scanned must not have an empty
 * list; of the rest the kind and the end tell all there is.
 */
function showsScan({ type, scanned_resources }: Fields, { dependency_files }: Fields): boolean {
  if (type === "dast" && !Array.isArray(scanned_resources)) return false;
  return ![scanned_resources, dependency_files].some((list) => Array.isArray(list) && list.length === 0);
}

/** Reports without `scan` name the kind as the category of each entry; trimmed ones only show it by the place. */
function kindOf({ category, location, raw_source_code_extract }: Fields): string | undefined {
  if (typeof category === "string") return category;
  const place = isObject(location) ? location : {};
  if (raw_source_code_extract !== undefined || place.commit !== undefined) return "secret_detection";
  if (place.image !== undefined) return "container_scanning";
  if (place.hostname !== undefined) return "dast";
  if (place.crash_type !== undefined) return "coverage_fuzzing";
  const { package: named } = isObject(place.dependency) ? place.dependency : {};
  if (isObject(named) && named.name !== undefined) return "dependency_scanning";
  return place.start_line === undefined ? undefined : "sast";
}

function isDismissed({ dismissed, flags }: Fields): boolean {
  return (
    dismissed === true ||
    (Array.isArray(flags) && flags.some((flag) => isObject(flag) && flag.type === "flagged-as-likely-false-positive"))
  );
}

function findingOf({ name, message, description, location, raw_source_code_extract }: Fields): RawFinding {
  const place = isObject(location) ? location : {};
  return {
    file: textOf(place.file) ?? textOf(place.image) ?? textOf(place.path),
    line: place.start_line,
    description: textOf(name) ?? textOf(message) ?? description,
    secrets: [raw_source_code_extract],
  };
}

function toolOf({ name, version }: Fields): string {
  return [textOf(name) ?? "a scanner without a name", textOf(version)].filter(Boolean).join(" ");
}
