import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { type Fields, isObject, objectAt, objectsOf } from "../shape.ts";

/**
 * The output of Nuclei's `-jsonl`, or the list of `-json-export`. Every match of a matcher counts. An exact copy of a
 * record does not count, because each match has a time of its own.
 */
export const nuclei: Format = {
  name: "nuclei",
  title: "Nuclei JSONL",
  words: ["template-id", "template-path", "matched-at", "matcher-status", "info", "host"],
  metrics: ["dast"],
  metric: "dast",
  empty: { "0 bytes": "format", "[]": "format" },
  streams: true,

  // Nuclei writes nothing but matches. An empty file may be of any tool, so the format has to be named.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isMatch(record)),

  read(document) {
    const severities = noFindings();
    const seen = new Set<string>();
    let unmatched = 0;
    let repeated = 0;
    for (const { record, path } of objectsOf(document)) {
      if (!isMatch(record)) throw unreadable(`${path}template-id or info is missing`);
      const { severity } = objectAt(record.info, `${path}info`);
      const identity = JSON.stringify(record);
      if (seen.has(identity)) {
        repeated++;
        continue;
      }
      seen.add(identity);
      if (record["matcher-status"] === false) unmatched++;
      else severities[severityOf(severity, { info: "info" })]++;
    }
    const notes = unmatched > 0 ? [`${unmatched} that did not match, not counted`] : [];
    if (repeated > 0) notes.push(`${repeated} that stand there twice, counted once`);
    return { severities: measured(severities, "a report of Nuclei"), tool: "Nuclei", notes };
  },
};

function isMatch(record: Fields): boolean {
  return "info" in record && ["template-id", "templateID", "template"].some((key) => key in record);
}
