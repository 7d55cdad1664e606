import { unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { type Fields, isObject, objectsOf } from "../shape.ts";

/**
 * The JSON of gitleaks: version 8, and versions 2 to 7, whose keys are lower case. A secret counts once for each commit
 * that has it.
 */
export const gitleaks: Format = {
  name: "gitleaks",
  title: "gitleaks JSON",
  words: ["RuleID", "Description", "StartLine", "Match", "Secret", "Fingerprint", "offender", "leakURL"],
  time: "none",
  metrics: ["secret_scan"],
  metric: "secret_scan",
  problems: ["secrets"],
  problem: "secrets",
  empty: { null: "metric", "[]": "metric" },

  // The least after a scan is [] or null, which other tools write too. So the metric or the format has to be named.
  looksLike: ({ head }) => head.some((record) => isObject(record) && (isLeak(record) || isOldLeak(record))),

  read(document) {
    const findings = new Findings();
    for (const { record, path } of objectsOf(document)) {
      if (isLeak(record)) {
        findings.add({
          file: record.File,
          line: record.StartLine,
          description: record.Description || record.RuleID,
          secrets: [record.Secret, record.Match],
        });
      } else if (isOldLeak(record)) {
        findings.add({
          file: record.file,
          line: record.lineNumber,
          description: record.rule,
          secrets: [record.offender, record.line],
        });
      } else throw unreadable(`${path || "record 1: "}RuleID and File are missing`);
    }
    const secrets = findings.list;
    return { findings: { secrets: measured(secrets, "a report of gitleaks") }, tool: "gitleaks" };
  },
};

function isLeak(record: Fields): boolean {
  return "File" in record && "StartLine" in record && ("RuleID" in record || "Secret" in record);
}

function isOldLeak(record: Fields): boolean {
  return "file" in record && "rule" in record && "offender" in record;
}
