import type { Format } from "../format.ts";
import { measured } from "../measurement.ts";
import { noFindings, severityOf } from "../severities.ts";
import { entriesAt, type Fields, isObject, isPositive, listAt, objectsOf, textOf } from "../shape.ts";
import { refuseTruncated } from "../stated.ts";
import { InfrastructureFindings, infrastructureKinds } from "./infrastructure-findings.ts";

/**
 * The JSON report of KICS. Each place where a query matched counts; TRACE is info, and the category "Passwords And
 * Secrets" are secrets. Without `queries_total` above 0, or with no file scanned or parsed, it shows nothing; of
 * secrets it shows nothing without a query for them.
 */
export const kics: Format = {
  name: "kics",
  title: "KICS JSON",
  words: ["kics_version", "queries", "query_name", "severity_counters", "files_scanned", "queries_total"],
  time: { fields: ["end"] },
  metrics: ["secret_scan"],
  ...infrastructureKinds,

  // The least after a scan is a number of files and of queries above 0.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isKics(record)),

  read(document) {
    const found = new InfrastructureFindings();
    const severities = noFindings();
    let failed = 0;
    let scanned = true;
    let looksForSecrets = false;
    let version: string | undefined;
    for (const { record, path } of objectsOf(document)) {
      let listed = 0;
      const places = new Map<unknown, number>();
      const queries = listAt(record.queries, `${path}queries`);
      for (const { entry: query, path: at } of entriesAt(queries, `${path}queries`)) {
        const severity = severityOf(query.severity, { info: "info", trace: "info" });
        const isSecret = textOf(query.query_name)?.startsWith("Passwords And Secrets") === true;
        looksForSecrets ||= isSecret;
        for (const { entry } of entriesAt(listAt(query.files, `${at}.files`), `${at}.files`)) {
          listed++;
          places.set(query.severity, (places.get(query.severity) ?? 0) + 1);
          severities[severity]++;
          const shown = [entry.search_key, entry.search_value, entry.actual_value];
          found.add(
            {
              file: entry.file_name,
              line: entry.line,
              description: query.query_name,
              severity,
              secrets: query.category === "Secret Management" ? shown : [],
            },
            isSecret,
          );
        }
      }
      refuseTruncated(record.total_counter, listed, `${path}total_counter`);
      for (const [word, stated] of Object.entries(isObject(record.severity_counters) ? record.severity_counters : {})) {
        // It counts what stands in bill_of_materials, and total_counter does not (pkg/model/summary.go).
        if (word === "TRACE") continue;
        refuseTruncated(stated, places.get(word) ?? 0, `${path}severity_counters.${word}`);
      }
      if (typeof record.files_failed_to_scan === "number") failed += record.files_failed_to_scan;
      scanned &&= hasScanned(record);
      version ??= textOf(record.kics_version);
    }
    return {
      severities: measured(severities, "queries"),
      findings: found.measurements(
        {
          misconfigurations: scanned ? "files_scanned" : undefined,
          secrets: looksForSecrets && scanned ? "a query for passwords and secrets" : undefined,
        },
        {
          misconfigurations: "no file was scanned, or parsed, or there was no query",
          secrets: "it lists no query for passwords and secrets",
        },
      ),
      tool: version === undefined ? "KICS" : `KICS ${version}`,
      warnings: failed > 0 ? [`${failed} files could not be scanned`] : [],
    };
  },
};

/** Whether KICS has scanned anything. Its own number of scanned files includes files that it could not parse. */
function hasScanned({ files_scanned, files_parsed, queries_total }: Fields): boolean {
  return isPositive(files_scanned) && files_parsed !== 0 && isPositive(queries_total);
}

const members = ["kics_version", "files_scanned", "queries_total", "queries", "severity_counters"];

function isKics(record: Fields): boolean {
  if (members.filter((key) => key in record).length >= 2) return true;
  const [query] = Array.isArray(record.queries) ? record.queries : [];
  return isObject(query) && "query_name" in query && "files" in query;
}
