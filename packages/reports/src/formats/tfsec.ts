import { unreadable } from "../errors.ts";
import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, textOf } from "../shape.ts";
import { InfrastructureFindings, infrastructureKinds } from "./infrastructure-findings.ts";

const words = { error: "high", warning: "medium", info: "low" } as const;

/**
 * The output of tfsec's `--format json`. ERROR is high, WARNING medium, and INFO low; results that passed or were
 * ignored do not count. `general-secrets-…` are secrets, of which it shows nothing without such a result.
 */
export const tfsec: Format = {
  name: "tfsec",
  title: "tfsec JSON",
  words: ["rule_id", "long_id", "rule_description", "rule_service", "rule_provider", "resolution", "location"],
  time: "none",
  metrics: ["secret_scan"],
  ...infrastructureKinds,
  empty: { '{"results":[]}': "format" },

  // The least after a scan is {"results":[]}, which other tools write too. So the format has to be named.
  looksLike: ({ head }) =>
    head.some((record) => {
      if (!isObject(record) || !("results" in record)) return false;
      const [result] = Array.isArray(record.results) ? record.results : [];
      return isObject(result) && "rule_id" in result && "location" in result;
    }),

  read(document) {
    const found = new InfrastructureFindings();
    const severities = noFindings();
    let passed = 0;
    let looksForSecrets = false;
    for (const { record, path } of objectsOf(document)) {
      if (!("results" in record)) throw unreadable(`${path}results is missing`);
      for (const { entry } of entriesAt(record.results, `${path}results`)) {
        looksForSecrets ||= isSecret(entry);
        if (!isFailed(entry)) {
          passed++;
          continue;
        }
        const severity = severityOf(entry.severity, words);
        severities[severity]++;
        const location = isObject(entry.location) ? entry.location : {};
        const description = entry.description || entry.rule_description;
        found.add({ file: location.filename, line: location.start_line, description, severity }, isSecret(entry));
      }
    }
    return {
      severities: measured(severities, "results"),
      findings: found.measurements(
        { misconfigurations: "results", secrets: looksForSecrets ? "results of general-secrets rules" : undefined },
        { misconfigurations: "it has no results", secrets: "no result is of a general-secrets rule" },
      ),
      tool: "tfsec",
      notes: passed > 0 ? [`${passed} passed or ignored, not counted`] : [],
    };
  },
};

/**
 * Whether a check failed. Its status is then absent, 0 (tfsec ≥ 1.1) or "failed". 1 and "passed", 2 and "ignored" mean
 * otherwise.
 */
function isFailed({ status }: Fields): boolean {
  return status === undefined || status === null || status === 0 || status === "failed";
}

/**
 * Whether a check looks for secrets. Its id is `general-secrets-…` in current versions, and begins with GEN in old
 * ones.
 */
function isSecret(result: Fields): boolean {
  return [result.rule_id, result.long_id, result.legacy_rule_id].some(
    (id) => textOf(id)?.startsWith("general-secrets-") || /^GEN00[1235]$/.test(textOf(id) ?? ""),
  );
}
