import { unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, objectsOf, textOf } from "../shape.ts";

const words = { error: "high", warning: "medium", info: "low" } as const;

/** tfsec's `--format json`. */
export const tfsec: Format = {
  name: "tfsec",
  title: "tfsec JSON",
  metrics: ["secret_scan"],
  problems: true,

  looksLike: ({ head }) =>
    head.some((record) => {
      if (!isObject(record) || !("results" in record)) return false;
      const [result] = Array.isArray(record.results) ? record.results : [];
      if (isObject(result)) return "rule_id" in result && "location" in result;
      return Object.keys(record).length === 1 && (record.results === null || isEmptyList(record.results));
    }),

  read(document) {
    const problem = new Findings();
    const secrets = new Findings();
    const severities = noFindings();
    let passed = 0;
    for (const { record, path } of objectsOf(document)) {
      if (!("results" in record)) throw unreadable(`${path}results is missing`);
      for (const { entry } of entriesAt(record.results, `${path}results`)) {
        if (!isFailed(entry)) {
          passed++;
          continue;
        }
        const severity = severityOf(entry.severity, words);
        severities[severity]++;
        const location = isObject(entry.location) ? entry.location : {};
        const finding = {
          file: location.filename,
          line: location.start_line,
          description: entry.description || entry.rule_description,
          severity,
        };
        problem.add(finding);
        if (isSecret(entry)) secrets.add(finding);
      }
    }
    return {
      severities,
      problem: problem.problem,
      secrets: secrets.problem,
      tool: "tfsec",
      notes: passed > 0 ? [`${passed} passed or ignored, not counted`] : [],
    };
  },
};

function isEmptyList(results: unknown): boolean {
  return Array.isArray(results) && results.length === 0;
}

/** Absent, 0 (tfsec ≥ 1.1) or "failed"; 1 or "passed" and 2 or "ignored" are not. */
function isFailed({ status }: Fields): boolean {
  return status === undefined || status === null || status === 0 || status === "failed";
}

/** `general-secrets-…` of current versions; the GEN ids are those of the old ones. */
function isSecret(result: Fields): boolean {
  return [result.rule_id, result.long_id, result.legacy_rule_id].some(
    (id) => textOf(id)?.startsWith("general-secrets-") || /^GEN00[1235]$/.test(textOf(id) ?? ""),
  );
}
