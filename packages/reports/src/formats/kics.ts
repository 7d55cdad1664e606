import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectsOf, textOf } from "../shape.ts";

/** KICS' JSON report. Each place where a query matched counts. */
export const kics: Format = {
  name: "kics",
  title: "KICS JSON",
  metrics: ["secret_scan"],
  problems: true,

  looksLike: ({ head }) => head.some((record) => isObject(record) && isKics(record)),

  read(document) {
    const problem = new Findings();
    const secrets = new Findings();
    const severities = noFindings();
    let failed = 0;
    let scanned = false;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      const queries = listAt(record.queries, `${path}queries`);
      for (const { entry: query, path: at } of entriesAt(queries, `${path}queries`)) {
        const severity = severityOf(query.severity, { info: "info", trace: "info" });
        const isSecret = textOf(query.query_name)?.startsWith("Passwords And Secrets") === true;
        for (const { entry } of entriesAt(listAt(query.files, `${at}.files`), `${at}.files`)) {
          severities[severity]++;
          const finding = {
            file: entry.file_name,
            line: entry.line,
            description: query.query_name,
            severity,
            secrets:
              query.category === "Secret Management" ? [entry.search_key, entry.search_value, entry.actual_value] : [],
          };
          problem.add(finding);
          if (isSecret) secrets.add(finding);
        }
      }
      if (typeof record.files_failed_to_scan === "number") failed += record.files_failed_to_scan;
      scanned ||= record.files_scanned !== 0;
      version ??= textOf(record.kics_version);
    }
    const notes = failed > 0 ? [`${failed} files could not be scanned`] : [];
    if (!scanned) notes.push("no file was scanned");
    return {
      severities,
      problem: problem.problem,
      secrets: secrets.problem,
      tool: version === undefined ? "KICS" : `KICS ${version}`,
      notes,
    };
  },
};

const members = ["kics_version", "files_scanned", "queries_total", "queries", "severity_counters"];

function isKics(record: Fields): boolean {
  if (members.filter((key) => key in record).length >= 2) return true;
  const [query] = Array.isArray(record.queries) ? record.queries : [];
  return isObject(query) && "query_name" in query && "files" in query;
}
