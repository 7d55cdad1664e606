import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import {
  entriesAt,
  type Fields,
  isObject,
  isPositive,
  listAt,
  objectAt,
  objectsOf,
  optionalListAt,
  textOf,
} from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/** The one word of Brakeman's confidence that is not the name of a severity. Brakeman has no `critical`. */
const words = { weak: "low" } as const;
const looked = ["number_of_controllers", "number_of_models", "number_of_templates"];
const missing = "counts no controller, model or template";

/**
 * The output of Brakeman's `--format json`. Its confidence is used as the severity: High, Medium, and Weak is low.
 * Brakeman has no `critical`. `ignored_warnings` do not count. Without controllers, models and templates it shows
 * nothing.
 */
export const brakeman: Format = {
  name: "brakeman",
  title: "Brakeman JSON",
  words: ["scan_info", "warnings", "ignored_warnings", "checks_performed", "brakeman_version", "app_path"],
  time: { fields: ["scan_info.end_time", "scan_info.timestamp"] },
  metrics: ["sast"],
  metric: "sast",

  // The least after a scan is a number of controllers, models or templates above 0. Without it, or with an empty list
  // of checks, nothing was looked at.
  looksLike: ({ head }) =>
    head.some((record) => isObject(record) && isObject(record.scan_info) && "app_path" in record.scan_info),

  read(document) {
    const severities = noFindings();
    let isSilent = false;
    let ignored = 0;
    let unparsed = 0;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      const scan = objectAt(record.scan_info, `${path}scan_info`);
      const warnings = listAt(record.warnings, `${path}warnings`);
      isSilent ||= warnings.length === 0 && !hasLooked(scan);
      for (const { entry } of entriesAt(warnings, `${path}warnings`)) {
        severities[severityOf(entry.confidence, words)]++;
      }
      const left = optionalListAt(record.ignored_warnings, `${path}ignored_warnings`).length;
      refuseTruncated(scan.security_warnings, warnings.length + left, `${path}scan_info.security_warnings`);
      ignored += left;
      unparsed += optionalListAt(record.errors, `${path}errors`).length;
      version ??= textOf(scan.brakeman_version);
    }
    const notes = ignored > 0 ? [`${ignored} ignored, not counted`] : [];
    return {
      severities: measuredCounts(severities, isSilent ? undefined : "controllers, models or templates", missing),
      tool: version === undefined ? "Brakeman" : `Brakeman ${version}`,
      warnings: unparsed > 0 ? [`Brakeman lists ${unparsed} errors, so it may not have seen everything`] : [],
      notes,
    };
  },
};

/** Whether Brakeman found parts of an application, and made any check. */
function hasLooked(scan: Fields): boolean {
  const { checks_performed: checks } = scan;
  return looked.some((key) => isPositive(scan[key])) && !(Array.isArray(checks) && checks.length === 0);
}
