import type { Format } from "../format.ts";
import type { Severity } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, optionalListAt, textOf } from "../shape.ts";
import { analyserIn, dependencyCheckFacts, nothingRead, severityOfVulnerability } from "./dependency-check-facts.ts";

/**
 * The output of OWASP dependency-check's `--format JSON`. A vulnerability counts once for each dependency, by the
 * gravest of its versions of CVSS; suppressed ones do not. A warning names an analyser that failed. Without
 * dependencies it shows nothing.
 */
export const dependencyCheckJson: Format = {
  name: "dependency-check-json",
  title: "dependency-check JSON",
  words: ["reportSchema", "scanInfo", "projectInfo", "evidenceCollected", "vulnerabilityIds", "cvssv3"],
  time: { fields: ["projectInfo.reportDate"] },
  metrics: ["sast"],

  // The least after a scan is one dependency, with or without vulnerabilities.
  looksLike: ({ head }) => head.some((record) => isObject(record) && "reportSchema" in record && "scanInfo" in record),

  read(document) {
    const scan = nothingRead();
    for (const { record, path } of objectsOf(document)) {
      const info = isObject(record.scanInfo) ? record.scanInfo : {};
      scan.version ??= textOf(info.engineVersion);
      for (const exception of optionalListAt(info.analysisExceptions, `${path}scanInfo.analysisExceptions`)) {
        scan.failed.push(analyserIn(JSON.stringify(exception)));
      }
      const list = listAt(record.dependencies, `${path}dependencies`);
      for (const { entry, path: at } of entriesAt(list, `${path}dependencies`)) {
        scan.dependencies++;
        scan.suppressed += optionalListAt(entry.suppressedVulnerabilities, `${at}.suppressedVulnerabilities`).length;
        for (const found of entriesAt(entry.vulnerabilities, `${at}.vulnerabilities`)) {
          scan.severities[severityIn(found.entry)]++;
        }
      }
    }
    return dependencyCheckFacts(scan);
  },
};

function severityIn({ cvssv4, cvssv3, cvssv2, severity }: Fields): Severity | "unknown" {
  const words = [
    isObject(cvssv4) && cvssv4.baseSeverity,
    isObject(cvssv3) && cvssv3.baseSeverity,
    isObject(cvssv2) && cvssv2.severity,
  ];
  return severityOfVulnerability(words, severity);
}
