import type { Format } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { visitXml } from "../xml.ts";

/**
 * The XML of Burp Suite's issues. An issue counts once for each place, by its serial number; `False positive` does not
 * count. Burp has no severity `critical`. Without an issue it shows nothing.
 */
export const burp: Format = {
  name: "burp",
  title: "Burp XML",
  words: ["issues", "issue", "burpVersion", "serialNumber", "issueDetail", "requestresponse"],
  time: { fields: ["@exportTime"] },
  metrics: ["dast"],
  metric: "dast",

  // Burp writes nothing but issues. Without any, the list may be of a scan that reached nothing.
  looksLike: ({ root }) =>
    root?.name === "issues" && ["burpVersion", "exportTime"].some((name) => name in root.attributes),

  read(document) {
    const severities = noFindings();
    let falsePositives = 0;
    let issues = 0;
    let severity = "";
    let serial = "";
    const seen = new Set<string>();
    visitXml(document.text, {
      "issues/issue": {
        open() {
          severity = "";
          serial = "";
        },
        close() {
          if (seen.has(serial)) return;
          if (serial !== "") seen.add(serial);
          issues++;
          if (severity === "false positive") falsePositives++;
          else severities[severityOf(severity, { information: "info" })]++;
        },
      },
      "issues/issue/serialNumber": {
        close(text) {
          serial = text.trim();
        },
      },
      "issues/issue/severity": {
        close(text) {
          severity = text.trim().toLowerCase();
        },
      },
    });
    const version = document.root?.attributes.burpVersion;
    return {
      severities: measuredBy(
        severities,
        issues,
        undefined,
        "has no issue, so it does not show that anything was visited",
      ),
      tool: version ? `Burp ${version}` : "Burp",
      notes: falsePositives > 0 ? [`${falsePositives} marked as false positives, not counted`] : [],
    };
  },
};
