import type { Facts, Format } from "../format.ts";
import { k6Facts, k6Summary } from "../k6.ts";
import { objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * The JSON of `k6 run --summary-export`. The values are directly in the metrics: `http_req_failed`, p(95) of
 * `http_req_duration`, and `checks`; thresholds do not count. Without `p(95)` in `summaryTrendStats` it is refused.
 */
export const k6SummaryExport: Format = {
  name: "k6-summary-export",
  title: "k6 --summary-export JSON",
  words: ["http_req_duration", "http_req_failed", "root_group", "vus", "passes", "fails"],
  time: "none",
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one request. k6 writes the metrics as 0 where a threshold names them, without any request.
  looksLike({ head: [record] }) {
    return k6Summary(record) === "--summary-export";
  },

  read(document): Facts {
    const metrics = objectAt(singleRecord(document).metrics, "metrics");
    const valuesOf = (name: string) =>
      metrics[name] === undefined ? undefined : objectAt(metrics[name], `metrics.${name}`);
    return k6Facts(valuesOf, valuesOf("checks"), "k6");
  },
};
