import { ReportError, unreadable } from "../errors.ts";
import { type FindingList, Findings, type RawFinding } from "../findings.ts";
import type { Facts, Format } from "../format.ts";
import type { FindingKind, ReportMetric } from "../kinds.ts";
import { measuredBy, measuredCounts } from "../measurement.ts";
import { own } from "../own.ts";
import { noFindings, type SeverityCounts, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

/** What a kind of scan is good for: the metrics that it can feed, and the kind of its findings. */
interface Kind {
  readonly metrics: readonly ReportMetric[];
  /** The metric that it is made for. Absent if there is none: dependencies count as sast only if the caller says so. */
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
 * The security reports of GitLab, such as `gl-sast-report.json`, schemas 2 to 15. The kind of scan decides what they
 * feed: `sast` and `secret_detection` their metrics, `container_scanning` and `cluster_image_scanning` image_scan,
 * `dast` and `api_fuzzing` dast; `dependency_scanning` feeds sast if the caller names it. Entries that are `dismissed`
 * or flagged as likely false positives do not count. Reports of schema 2 name the kind only in their entries. If no
 * entry does, the caller has to say what the report is for. A scan that failed is refused.
 */
export const gitlab: Format = {
  name: "gitlab",
  title: "GitLab security JSON",
  words: ["vulnerabilities", "remediations", "scan", "scanner", "identifiers", "start_line", "category"],
  time: { fields: ["scan.end_time"], zone: "UTC" },
  metrics: ["sast", "secret_scan", "image_scan", "dast"],
  problems: ["findings", "secrets", "vulnerabilities"],

  // The least after a scan is its kind and its scanner. Other tools have the key vulnerabilities too, and so has schema
  // 2, which does not name the kind.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isReport(record)),

  read(document) {
    const severities = noFindings();
    const findings = new Findings();
    const named = new Set<string>();
    const tools = new Set<string>();
    let dismissed = 0;
    let isShown = true;
    for (const { record, path } of objectsOf(document)) {
      const scan = isObject(record.scan) ? record.scan : {};
      const entries = listAt(record.vulnerabilities, `${path}vulnerabilities`);
      refuseFailure(scan, path);
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
    return {
      ...factsOf(named, severities, findings.list, isShown),
      ...(tools.size > 0 && { tool: [...tools].join(", ") }),
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

/** @throws ReportError if the report says that the scan failed: by its status, or by a message of level fatal */
function refuseFailure({ status, messages }: Fields, path: string): void {
  if (status === "failure") throw new ReportError("failed-scan", `${path}scan.status says that the scan failed`);
  for (const { entry, path: at } of entriesAt(messages, `${path}scan.messages`)) {
    if (entry.level === "fatal") throw new ReportError("failed-scan", `${at}.level says that the scan failed`);
  }
}

/**
 * The facts of a report.
 *
 * @param named the kinds of scan that it names
 * @throws ReportError if these are several
 */
function factsOf(named: ReadonlySet<string>, severities: SeverityCounts, list: FindingList, isShown: boolean): Facts {
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
    findings: { [finds]: measuredBy(list, list.count, evidence, unscanned) },
    problem: finds,
    metrics,
    ...(metric && { metric }),
  };
}

const unscanned =
  "does not show that anything was scanned: it names no scanner, or scan.scanned_resources or dependency_files is empty or missing";

/**
 * Whether a report without findings proves that something was scanned. The schema requires a DAST report to list the
 * resources that were visited. Any other report may list what it scanned, and then the list must not be empty. A report
 * without such a list proves it by its kind alone.
 */
function showsScan({ type, scanner, scanned_resources }: Fields, { dependency_files }: Fields): boolean {
  if (!isObject(scanner)) return false;
  if (type === "dast" && !Array.isArray(scanned_resources)) return false;
  return ![scanned_resources, dependency_files].some((list) => Array.isArray(list) && list.length === 0);
}

/**
 * The kind of scan that an entry belongs to, in reports without `scan`: its category, else the kind that has such a
 * location.
 */
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
