import { ReportError, unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, isObject, isPositive, objectsOf, optionalListAt, textOf } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/**
 * The output of gosec's `-fmt json`. `nosec` and `suppressions` do not count. Where nothing is found, `Stats.files`
 * has to be above 0. A report is refused if no file could be read.
 */
export const gosec: Format = {
  name: "gosec",
  title: "gosec JSON",
  words: ["Issues", "GosecVersion", "Stats", "rule_id", "nosec", "cwe"],
  time: "none",
  metrics: ["sast"],
  metric: "sast",

  // The least after a scan is a number of files above 0 in the statistics.
  looksLike: ({ head }) =>
    head.some(
      (record) =>
        isObject(record) &&
        ("Issues" in record || "Golang errors" in record) &&
        (["Stats", "Golang errors", "GosecVersion"].some((key) => key in record) || hasIssue(record.Issues)),
    ),

  read(document) {
    const severities = noFindings();
    let suppressed = 0;
    let broken = 0;
    let isShown = true;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      if (!("Issues" in record)) throw unreadable(`${path}Issues is missing`);
      let open = 0;
      for (const { entry, path: at } of entriesAt(record.Issues, `${path}Issues`)) {
        const reasons = optionalListAt(entry.suppressions, `${at}.suppressions`);
        if (reasons.length === 0) open++;
        if (entry.nosec === true || reasons.length > 0) suppressed++;
        else severities[severityOf(entry.severity)]++;
      }
      const { files, found } = isObject(record.Stats) ? record.Stats : {};
      refuseTruncated(found, open, `${path}Stats.found`);
      isShown &&= isPositive(files);
      const errors = isObject(record["Golang errors"]) ? Object.keys(record["Golang errors"]).length : 0;
      if (errors > 0 && files === 0) {
        throw new ReportError("failed-scan", `${path}gosec could read no file; ${errors} have errors`);
      }
      broken += errors;
      version ??= textOf(record.GosecVersion);
    }
    const notes = suppressed > 0 ? [`${suppressed} suppressed, not counted`] : [];
    return {
      severities: measuredCounts(severities, isShown ? "Stats.files" : undefined, "counts no file that was read"),
      tool: version === undefined ? "gosec" : `gosec ${version}`,
      warnings: broken > 0 ? [`${broken} files or packages could not be read`] : [],
      notes,
    };
  },
};

function hasIssue(issues: unknown): boolean {
  const [issue] = Array.isArray(issues) ? issues : [];
  return isObject(issue) && "rule_id" in issue;
}
