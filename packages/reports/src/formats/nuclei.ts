import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { type Fields, isObject, objectAt, objectsOf } from "../shape.ts";

/**
 * The output of Nuclei's `-jsonl`, or the list of `-json-export`. Every match of a matcher counts, by `info.severity`;
 * `matcher-status` false does not.
 */
export const nuclei: Format = {
  name: "nuclei",
  title: "Nuclei JSONL",
  words: ["template-id", "template-path", "matched-at", "matcher-status", "info", "host"],
  time: { fields: ["timestamp"] },
  metrics: ["dast"],
  metric: "dast",
  empty: { blank: "format", "[]": "format" },

  // Nuclei writes nothing but matches. An empty file may be of any tool, so the format has to be named.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isMatch(record)),

  read(document) {
    const severities = noFindings();
    let unmatched = 0;
    for (const { record, path } of objectsOf(document)) {
      if (!isMatch(record)) throw unreadable(`${path}template-id or info is missing`);
      const { severity } = objectAt(record.info, `${path}info`);
      if (record["matcher-status"] === false) unmatched++;
      else severities[severityOf(severity, { info: "info" })]++;
    }
    const notes = unmatched > 0 ? [`${unmatched} that did not match, not counted`] : [];
    return { severities: measured(severities, "a report of Nuclei"), tool: "Nuclei", notes };
  },
};

function isMatch(record: Fields): boolean {
  return "info" in record && ["template-id", "templateID", "template"].some((key) => key in record);
}
