import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import {
  entriesAt,
  type Fields,
  isObject,
  isPositive,
  listAt,
  numberAt,
  objectAt,
  objectsOf,
  optionalListAt,
  textOf,
} from "../shape.ts";
import { refuseTruncated } from "../stated.ts";
import { InfrastructureFindings, infrastructureKinds } from "./infrastructure-findings.ts";

/**
 * The output of Checkov's `-o json`: a report for each framework, or only a summary if there was nothing to check.
 * Failed checks count. Those of the framework `secrets`, and `CKV_SECRET_…`, are secrets. Without the report of a
 * framework it shows nothing, and of secrets nothing without one of theirs. A framework that counts neither a passed
 * check nor a resource has no report.
 */
export const checkov: Format = {
  name: "checkov",
  title: "Checkov JSON",
  words: ["check_type", "check_id", "failed_checks", "passed_checks", "skipped_checks", "checkov_version"],
  time: "none",
  metrics: ["secret_scan"],
  ...infrastructureKinds,

  // The least after a scan is a number of passed checks, or of resources. A framework that counts neither had nothing
  // to check.
  looksLike: ({ head }) => head.some((record) => isObject(record) && (isReport(record) || isSummary(record))),

  read(document) {
    const found = new InfrastructureFindings();
    const severities = noFindings();
    let skipped = 0;
    let unparsed = 0;
    let foreign = 0;
    let version: string | undefined;
    let frameworks = 0;
    let looksForSecrets = false;
    const blind = new Set<unknown>();
    for (const { record, path } of objectsOf(document)) {
      const summary = isReport(record) ? record.summary : record;
      if (isObject(summary)) version ??= textOf(summary.checkov_version);
      if (isReport(record)) {
        const results = objectAt(record.results, `${path}results`);
        const failed = listAt(results.failed_checks, `${path}results.failed_checks`);
        if (isObject(summary)) refuseTruncated(summary.failed, failed.length, `${path}summary.failed`);
        for (const { entry } of entriesAt(failed, `${path}results.failed_checks`)) {
          const severity = severityOf(entry.severity);
          severities[severity]++;
          found.add(
            {
              file: entry.file_path,
              line: Array.isArray(entry.file_line_range) ? entry.file_line_range[0] : undefined,
              description: entry.check_name || entry.check_id,
              severity,
              secrets: [entry.code_block].flat(2),
            },
            isSecret(entry, record),
          );
        }
        const passed = optionalListAt(results.passed_checks, `${path}results.passed_checks`);
        const left = optionalListAt(results.skipped_checks, `${path}results.skipped_checks`);
        const broken = optionalListAt(results.parsing_errors, `${path}results.parsing_errors`);
        const isShown = failed.length + passed.length + left.length > 0 || hasChecked(summary, broken.length);
        if (!isShown) blind.add(record.check_type);
        if (isShown && record.check_type !== "secrets") frameworks++;
        looksForSecrets ||= record.check_type === "secrets" ? isShown : passed.some((check) => isSecret(check, record));
        skipped += left.length;
        unparsed += broken.length;
      } else if (!isSummary(record)) {
        if ("results" in record || "summary" in record) throw unreadable(`${path}check_type is missing`);
        foreign++;
      } else if (numberAt(record.failed, `${path}failed`) > 0) throw unreadable(`${path}the failed checks are missing`);
    }
    return {
      severities: measured(severities, "failed_checks"),
      findings: found.measurements(
        {
          misconfigurations: frameworks > 0 ? "reports of frameworks" : undefined,
          secrets: looksForSecrets ? "checks of the framework secrets" : undefined,
        },
        {
          misconfigurations: "no framework found anything to check",
          secrets: blind.has("secrets")
            ? "the framework secrets checked nothing"
            : "the framework secrets has no report",
        },
      ),
      tool: version === undefined ? "Checkov" : `Checkov ${version}`,
      warnings: unparsed > 0 ? [`${unparsed} files could not be parsed`] : [],
      notes: [
        skipped > 0 && `${skipped} skipped checks, not counted`,
        foreign > 0 && `${foreign} records that are no report of Checkov, skipped`,
      ].filter((note) => note !== false),
    };
  },
};

/**
 * Whether a framework had something to check, although its report lists no checks. With `--quiet` Checkov does not list
 * passed checks, but still counts them. Without passed checks it depends on the resources: Checkov has counted them since
 * version 2, and found them only in files that it could parse.
 */
function hasChecked(summary: unknown, broken: number): boolean {
  const { passed, parsing_errors, resource_count } = isObject(summary) ? summary : {};
  return isPositive(passed) || (isPositive(resource_count) && broken === 0 && !isPositive(parsing_errors));
}

function isSecret(check: unknown, { check_type }: Fields): boolean {
  return check_type === "secrets" || (isObject(check) && textOf(check.check_id)?.startsWith("CKV_SECRET_") === true);
}

function isReport(record: Fields): boolean {
  return "check_type" in record;
}

function isSummary(record: Fields): boolean {
  return "checkov_version" in record && "failed" in record;
}
