import { unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { noFindings, severityOf } from "../severities.ts";
import {
  entriesAt,
  type Fields,
  isObject,
  listAt,
  numberAt,
  objectAt,
  objectsOf,
  optionalListAt,
  textOf,
} from "../shape.ts";

/** Checkov's `-o json`: a report for each framework, or only a summary when no framework found anything to check. */
export const checkov: Format = {
  name: "checkov",
  title: "Checkov JSON",
  metrics: ["secret_scan"],
  problems: true,

  looksLike: ({ head }) => head.some((record) => isObject(record) && (isReport(record) || isSummary(record))),

  read(document) {
    const problem = new Findings();
    const secrets = new Findings();
    const severities = noFindings();
    let skipped = 0;
    let unparsed = 0;
    let foreign = 0;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      const summary = isReport(record) ? record.summary : record;
      if (isObject(summary)) version ??= textOf(summary.checkov_version);
      if (isReport(record)) {
        const results = objectAt(record.results, `${path}results`);
        const failed = listAt(results.failed_checks, `${path}results.failed_checks`);
        for (const { entry } of entriesAt(failed, `${path}results.failed_checks`)) {
          const severity = severityOf(entry.severity);
          severities[severity]++;
          const finding = {
            file: entry.file_path,
            line: Array.isArray(entry.file_line_range) ? entry.file_line_range[0] : undefined,
            description: entry.check_name || entry.check_id,
            severity,
            secrets: [entry.code_block].flat(2),
          };
          problem.add(finding);
          if (record.check_type === "secrets" || textOf(entry.check_id)?.startsWith("CKV_SECRET_"))
            secrets.add(finding);
        }
        skipped += optionalListAt(results.skipped_checks, `${path}results.skipped_checks`).length;
        unparsed += optionalListAt(results.parsing_errors, `${path}results.parsing_errors`).length;
      } else if (!isSummary(record)) {
        if ("results" in record || "summary" in record) throw unreadable(`${path}check_type is missing`);
        foreign++;
      } else if (numberAt(record.failed, `${path}failed`) > 0) throw unreadable(`${path}the failed checks are missing`);
    }
    return {
      severities,
      problem: problem.problem,
      secrets: secrets.problem,
      tool: version === undefined ? "Checkov" : `Checkov ${version}`,
      notes: [
        skipped > 0 && `${skipped} skipped checks, not counted`,
        unparsed > 0 && `${unparsed} files could not be parsed`,
        foreign > 0 && `${foreign} records that are no report of Checkov, skipped`,
      ].filter((note) => note !== false),
    };
  },
};

function isReport(record: Fields): boolean {
  return "check_type" in record;
}

function isSummary(record: Fields): boolean {
  return "checkov_version" in record && "failed" in record;
}
