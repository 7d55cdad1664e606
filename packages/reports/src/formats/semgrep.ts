import { ReportError } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectAt, objectsOf, textOf } from "../shape.ts";

const words = { error: "high", warning: "medium", info: "low" } as const;

/**
 * The output of Semgrep's `--json`. ERROR is high, WARNING medium, and INFO low, beside the newer words; `is_ignored`
 * does not count. Where nothing is found, `paths.scanned` has to name a file without syntax errors. An error of level
 * `error` without any result is refused.
 */
export const semgrep: Format = {
  name: "semgrep",
  title: "Semgrep JSON",
  words: ["check_id", "extra", "results", "errors", "paths", "is_ignored", "metavars"],
  time: "none",
  metrics: ["sast"],
  metric: "sast",

  // The least after a scan is one file that was scanned. Lists of results and errors have many tools.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isSemgrep(record)),

  read(document) {
    const severities = noFindings();
    let ignored = 0;
    let errors = 0;
    let isShown = true;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      const results = listAt(record.results, `${path}results`);
      for (const { entry, path: at } of entriesAt(results, `${path}results`)) {
        const extra = objectAt(entry.extra, `${at}.extra`);
        if (extra.is_ignored === true) ignored++;
        else severities[severityOf(extra.severity, words)]++;
      }
      let failures = 0;
      const unparsed = new Set<unknown>();
      for (const { entry } of entriesAt(record.errors, `${path}errors`)) {
        errors++;
        if (entry.level === "error") failures++;
        if (isSyntaxError(entry)) unparsed.add(entry.path);
      }
      if (failures > 0 && results.length === 0) {
        throw new ReportError("failed-scan", `${path}the scan ended with ${failures} errors and no results`);
      }
      isShown &&= results.length > 0 || hasScanned(record, unparsed);
      version ??= textOf(record.version);
    }
    return {
      severities: measuredCounts(severities, isShown ? "paths.scanned" : undefined, missing),
      tool: version === undefined ? "Semgrep" : `Semgrep ${version}`,
      warnings: errors > 0 ? [`Semgrep lists ${errors} errors, so it may not have seen everything`] : [],
      notes: ignored > 0 ? [`${ignored} ignored by nosemgrep, not counted`] : [],
    };
  },
};

const missing = "names no file that was scanned: paths.scanned is missing or empty, or none of it could be parsed";

/** Whether Semgrep has scanned any file. Its list of scanned files includes files that it could not parse. */
function hasScanned({ paths }: Fields, unparsed: ReadonlySet<unknown>): boolean {
  return isObject(paths) && Array.isArray(paths.scanned) && paths.scanned.some((path) => !unparsed.has(path));
}

/**
 * Whether a whole file could not be parsed. A type that is a list with `PartialParsing` means only a part of a file.
 */
function isSyntaxError({ type }: Fields): boolean {
  return typeof type === "string" && /syntax error|lexical error|ast builder error/i.test(type);
}

function isSemgrep(record: Fields): boolean {
  if ("metrics" in record || "generated_at" in record) return false;
  if (!Array.isArray(record.results ?? [])) return false;
  const [result] = Array.isArray(record.results) ? record.results : [];
  if (result !== undefined) return isObject(result) && "check_id" in result;
  return Array.isArray(record.errors) && ("results" in record || "paths" in record);
}
