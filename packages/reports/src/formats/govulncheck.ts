import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, objectAt, objectsOf, optionalListAt, textOf } from "../shape.ts";

/**
 * The output of `govulncheck -json`: a stream of messages, or a single object before version 1.0. A vulnerability
 * counts once. If the scan follows calls, it counts only if the vulnerable function is called. govulncheck has no
 * severities. Where nothing is found, a message has to say that the check began.
 */
export const govulncheck: Format = {
  name: "govulncheck",
  title: "govulncheck JSON",
  words: ["osv", "finding", "trace", "govulncheck", "scanner_name", "protocol_version", "Vulns", "CallSink"],
  time: "none",
  metrics: ["sast"],

  // The least after a scan is its config, and the message with which the check begins. The config stands there before
  // anything is loaded.
  looksLike: ({ head }) => head.some((record) => isObject(record) && (isMessage(record) || isOldReport(record))),

  read(document) {
    const scan = newScan();
    for (const { record, path } of objectsOf(document)) {
      if (isOldReport(record)) addOldReport(scan, record, path);
      else if (members.some((key) => key in record)) addMessage(scan, record, path);
      else throw unreadable(`${path || "record 1: "}is no message of govulncheck`);
    }
    if (!scan.configured) throw unreadable("it has no config: the stream is not whole");
    const counted = scan.followsCalls ? scan.called : scan.found;
    const uncalled = scan.found.size - counted.size;
    return {
      severities: measuredCounts(
        { ...noFindings(), unknown: counted.size },
        scan.began ? "messages" : undefined,
        "ends before govulncheck says that it checks the code",
      ),
      tool: scan.version === undefined ? "govulncheck" : `govulncheck ${scan.version}`,
      notes: uncalled > 0 ? [`${uncalled} of which no vulnerable function is called, not counted`] : [],
    };
  },
};

/** Each message has one of these members. */
const members = ["config", "progress", "SBOM", "osv", "finding"];

interface Scan {
  configured: boolean;
  /** Whether the check itself has begun. If the program ends before that, its output does not show it. */
  began: boolean;
  followsCalls: boolean;
  version: string | undefined;
  readonly found: Set<string>;
  readonly called: Set<string>;
}

function newScan(): Scan {
  return {
    configured: false,
    began: false,
    followsCalls: true,
    version: undefined,
    found: new Set(),
    called: new Set(),
  };
}

function isMessage({ config, finding }: Fields): boolean {
  return (
    (isObject(config) && ("scanner_name" in config || "protocol_version" in config)) ||
    (isObject(finding) && "osv" in finding && "trace" in finding)
  );
}

function isOldReport(record: Fields): boolean {
  return "Vulns" in record && ["Calls", "Imports", "Requires", "Modules"].some((key) => key in record);
}

function addMessage(scan: Scan, { config, finding, progress }: Fields, path: string): void {
  if (isObject(config)) {
    scan.configured = true;
    scan.version ??= textOf(config.scanner_version);
    scan.followsCalls = config.scan_level !== "module" && config.scan_level !== "package";
  } else if (isObject(progress)) scan.began = hasBegun(textOf(progress.message) ?? "", scan.began);
  else if (finding !== undefined) {
    const { osv, trace } = objectAt(finding, `${path}finding`);
    if (typeof osv !== "string") throw unreadable(`${path}finding.osv must be a text`);
    scan.found.add(osv);
    for (const { entry } of entriesAt(trace, `${path}finding.trace`)) if (textOf(entry.function)) scan.called.add(osv);
  }
}

/**
 * Whether the check has begun after this message. Up to version 1.1.0 "Scanning" is the last message before it. Later
 * versions fetch the vulnerabilities after that, and then have another message when the check begins.
 */
function hasBegun(message: string, began: boolean): boolean {
  if (message.startsWith("Fetching vulnerabilities")) return false;
  return began || /^(Scanning your|Checking the) /.test(message);
}

function addOldReport(scan: Scan, record: Fields, path: string): void {
  scan.configured = true;
  scan.began = hasLoaded(record);
  for (const { entry, path: at } of entriesAt(optionalListAt(record.Vulns, `${path}Vulns`), `${path}Vulns`)) {
    const { id } = objectAt(entry.OSV, `${at}.OSV`);
    if (typeof id !== "string") throw unreadable(`${at}.OSV.id must be a text`);
    scan.found.add(id);
    if (isPositive(entry.CallSink)) scan.called.add(id);
  }
}

/** Whether the program was loaded: only then there are modules, or a graph of calls, imports or requirements. */
function hasLoaded({ Calls, Imports, Requires, Modules }: Fields): boolean {
  return [Calls, Imports, Requires].some(isObject) || (Array.isArray(Modules) && Modules.length > 0);
}
