import { ReportError, unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { type Fields, isObject, isPositive, objectsOf, textOf } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";

/**
 * The output of `--json` of TruffleHog v3: a finding on each line, verified or not. Its log lines are between them if
 * both were written to one file. A secret that stands several times in a file gives equal lines, and each counts:
 * TruffleHog keeps them on purpose (`notifierWorker` in its pkg/engine/engine.go). Where nothing is found, the log has
 * to say that the scan finished and how many chunks it read.
 */
export const trufflehog: Format = {
  name: "trufflehog",
  title: "TruffleHog v3 JSONL",
  words: ["SourceMetadata", "DetectorName", "DetectorType", "Verified", "Raw", "SourceName"],
  time: { fields: ["ts"] },
  metrics: ["secret_scan"],
  metric: "secret_scan",
  problems: ["secrets"],
  problem: "secrets",
  empty: { blank: "format", "[]": "format" },

  // The least after a scan is the log line of its end with a number of chunks above 0. An empty file may be of any
  // tool.
  looksLike: ({ head }) => head.some((record) => isObject(record) && (isFinding(record) || isLog(record))),

  read(document) {
    const findings = new Findings();
    let verified = 0;
    let logged: "nothing" | "started" | "finished" = "nothing";
    let isSilent = false;
    let stated = 0;
    let errors = 0;
    for (const { record, path } of objectsOf(document, "each")) {
      if (isFinding(record)) {
        if (record.Verified === true) verified++;
        findings.add({ ...placeOf(record), description: record.DetectorName, secrets: secretsOf(record) });
      } else if (isLog(record)) {
        if (record.level === "error") errors++;
        for (const count of [record.verified_secrets, record.unverified_secrets]) {
          if (isPositive(count)) stated += Number(count);
        }
        isSilent ||= record.msg === "finished scanning" && !isPositive(record.chunks);
        logged = record.msg === "finished scanning" ? "finished" : logged === "finished" ? logged : "started";
      } else throw unreadable(`${path || "record 1: "}DetectorName is missing`);
    }
    const secrets = findings.list;
    if (secrets.count === 0 && logged === "started") {
      throw new ReportError("failed-scan", "its log does not say that the scan finished, and it found nothing");
    }
    refuseTruncated(stated, secrets.count, "its log");
    const notes = secrets.count > 0 ? [`${verified} of ${secrets.count} verified; all count`] : [];
    const evidence = isSilent ? undefined : "a report of TruffleHog";
    return {
      findings: { secrets: measuredBy(secrets, secrets.count, evidence, "has a log that counts no chunk scanned") },
      tool: "TruffleHog",
      warnings: errors > 0 ? [`its log has ${errors} errors, so it may not have seen everything`] : [],
      notes,
    };
  },
};

function isFinding(record: Fields): boolean {
  return "DetectorName" in record;
}

function isLog(record: Fields): boolean {
  return textOf(record.logger)?.startsWith("trufflehog") === true;
}

/** The place of a finding: the file that its source names, else whatever else the source names it by. */
function placeOf({ SourceMetadata }: Fields): { file: unknown; line: unknown } {
  const data = isObject(SourceMetadata) && isObject(SourceMetadata.Data) ? SourceMetadata.Data : {};
  const source = Object.values(data).find(isObject) ?? {};
  return { file: source.file || source.link || source.email || source.image || source.repository, line: source.line };
}

function secretsOf({ Raw, RawV2, Redacted }: Fields): unknown[] {
  return [Raw, RawV2, Redacted];
}
