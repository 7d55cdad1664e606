import type { Facts, Format } from "../format.ts";
import { k6Facts, k6Summary } from "../k6.ts";
import { objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/** The data that k6 passes to `handleSummary()`, saved as JSON. The values of a metric are in its `values`. */
export const k6HandleSummary: Format = {
  name: "k6-handle-summary",
  title: "k6 handleSummary JSON",
  words: ["http_req_duration", "http_req_failed", "root_group", "state", "values", "thresholds"],
  time: "none",
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one request. k6 writes the metrics as 0 where a threshold names them, without any request.
  looksLike({ head: [record] }) {
    return k6Summary(record) === "handleSummary";
  },

  read(document): Facts {
    const metrics = objectAt(singleRecord(document).metrics, "metrics");
    const valuesOf = (name: string) => {
      if (metrics[name] === undefined) return undefined;
      return objectAt(objectAt(metrics[name], `metrics.${name}`).values, `metrics.${name}.values`);
    };
    return k6Facts(valuesOf, valuesOf("checks"), "k6");
  },
};
