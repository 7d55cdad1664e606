import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { entriesAt, isObject, listAt, objectAt, objectsOf, textOf } from "../shape.ts";

/** The baseline of detect-secrets. It keeps entries that an audit has marked as no secrets; these are not counted. */
export const detectSecrets: Format = {
  name: "detect-secrets",
  title: "detect-secrets baseline",
  words: ["plugins_used", "filters_used", "hashed_secret", "generated_at", "line_number"],
  time: { fields: ["generated_at"] },
  metrics: ["secret_scan"],
  metric: "secret_scan",
  problems: ["secrets"],
  problem: "secrets",

  // The least after a scan is one plugin. A baseline without plugins looked for nothing.
  looksLike: ({ head }) => head.some((record) => isObject(record) && "plugins_used" in record),

  read(document) {
    const findings = new Findings();
    let audited = 0;
    let version: string | undefined;
    let hasPlugins = true;
    for (const { record, path } of objectsOf(document)) {
      for (const [file, entries] of Object.entries(objectAt(record.results, `${path}results`))) {
        const at = `${path}results of a file`;
        for (const { entry } of entriesAt(listAt(entries, at), at)) {
          if (entry.is_secret === false) audited++;
          else findings.add({ file, line: entry.line_number, description: entry.type });
        }
      }
      version ??= textOf(record.version);
      const { plugins_used: plugins } = record;
      hasPlugins &&= Array.isArray(plugins) ? plugins.length > 0 : isObject(plugins) && Object.keys(plugins).length > 0;
    }
    const secrets = findings.list;
    return {
      findings: { secrets: measuredBy(secrets, secrets.count, hasPlugins ? "plugins_used" : undefined, unplugged) },
      tool: version === undefined ? "detect-secrets" : `detect-secrets ${version}`,
      notes: audited > 0 ? [`${audited} audited as no secret, not counted`] : [],
    };
  },
};

const unplugged = "does not show that secrets were looked for: plugins_used is empty";
