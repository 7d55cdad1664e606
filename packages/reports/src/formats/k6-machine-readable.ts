import type { Facts, Format } from "../format.ts";
import { k6Facts } from "../k6.ts";
import { type Fields, isObject, listAt, objectAt, optionalListAt, textOf } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * The summary of `k6 run --new-machine-readable-summary`, since k6 1.5. In its schema 1.0.0 the metrics are a list.
 * This reader follows the source code of k6 that writes it, internal/lib/summary/machine_readable.go; no report of it
 * was seen.
 */
export const k6MachineReadable: Format = {
  name: "k6-machine-readable",
  title: "k6 machine-readable summary",
  words: ["http_req_duration", "http_req_failed", "metadata", "results", "checks_succeeded"],
  time: { fields: ["metadata.generatedAt"] },
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one request. k6 writes the metrics as 0 where a threshold names them, without any request.
  looksLike({ head: [record] }) {
    return isObject(record) && isObject(record.metadata) && "k6Version" in record.metadata;
  },

  read(document): Facts {
    const { metadata, results } = singleRecord(document);
    const { metrics, checks } = objectAt(results, "results");
    const listed = listAt(metrics, "results.metrics");
    const checked = isObject(checks) ? optionalListAt(checks.metrics, "results.checks.metrics") : [];
    const version = textOf(objectAt(metadata, "metadata").k6Version);
    return k6Facts(
      (name) => valuesIn(listed, name, "results.metrics"),
      valuesIn(checked, "checks_succeeded", "results.checks.metrics"),
      version ? `k6 ${version}` : "k6",
    );
  },
};

function valuesIn(metrics: readonly unknown[], name: string, path: string): Fields | undefined {
  const metric = metrics.find((entry) => isObject(entry) && entry.name === name);
  return isObject(metric) ? objectAt(metric.values, `values of ${name} in ${path}`) : undefined;
}
