import type { Facts, Format } from "../format.ts";
import { loadOf, noChecks } from "../load.ts";
import { countAt, isObject, numberAt, objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";
import { refuseOtherShare } from "../stated.ts";

/**
 * `statistics.json` of JMeter's dashboard. Its `Total` is used, which leaves transaction controllers out. `pct2ResTime`
 * is taken for the 95th percentile. The file does not say whether `aggregate_rpt_pct2` was changed from 95.
 */
export const jmeterStatistics: Format = {
  name: "jmeter-statistics",
  title: "JMeter statistics.json",
  words: ["sampleCount", "errorPct", "meanResTime", "pct1ResTime", "pct2ResTime", "transaction"],
  time: "none",
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one sample in the total.
  looksLike({ head: [record] }) {
    return (
      isObject(record) &&
      Object.values(record).some((value) => isObject(value) && "transaction" in value && "sampleCount" in value)
    );
  },

  read(document): Facts {
    const total = objectAt(singleRecord(document).Total, "Total");
    const requests = countAt(total.sampleCount, "Total.sampleCount");
    const errorRate = numberAt(total.errorPct, "Total.errorPct") / 100;
    const { errorCount } = total;
    if (typeof errorCount === "number") refuseOtherShare(errorRate, errorCount / requests, 0.001, "Total.errorPct");
    return {
      load: loadOf({
        requests,
        error_rate: errorRate,
        p95_ms: numberAt(total.pct2ResTime, "Total.pct2ResTime"),
      }),
      tool: "JMeter",
      notes: [noChecks("JMeter")],
    };
  },
};
