import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { loadOf, noChecks } from "../load.ts";
import { countAt, type Fields, isObject, numberAt, objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * `js/stats.json` and `js/global_stats.json` of a Gatling report. All requests count. `percentiles3` is taken for the
 * 95th percentile. The file does not say whether `charting.indicators.percentile3` in `gatling.conf` was changed from
 * 95. Gatling 2.0, which does not write it, is refused.
 */
export const gatlingStats: Format = {
  name: "gatling-stats",
  title: "Gatling stats.json",
  words: [
    "numberOfRequests",
    "minResponseTime",
    "percentiles1",
    "percentiles3",
    "meanNumberOfRequestsPerSecond",
    "group1",
  ],
  time: "none",
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one request in the total.
  looksLike({ head: [record] }) {
    return isObject(record) && isObject(statsOf(record).numberOfRequests);
  },

  read(document): Facts {
    const stats = statsOf(singleRecord(document));
    const requests = objectAt(stats.numberOfRequests, "numberOfRequests");
    if (stats.percentiles3 === undefined) {
      throw unreadable("has no percentiles3, the 95th percentile: Gatling has it since 2.1");
    }
    const total = countAt(requests.total, "numberOfRequests.total");
    const failed = countAt(requests.ko, "numberOfRequests.ko");
    if (requests.ok !== undefined && requests.ok !== total - failed) {
      throw unreadable("numberOfRequests.ok contradicts numberOfRequests.total and numberOfRequests.ko");
    }
    return {
      load: loadOf({
        requests: total,
        error_rate: failed / total,
        p95_ms: numberAt(objectAt(stats.percentiles3, "percentiles3").total, "percentiles3.total"),
      }),
      tool: "Gatling",
      notes: [noChecks("the report")],
    };
  },
};

/** The figures of all requests. In `stats.json` they are those of the outermost group. */
function statsOf(record: Fields): Fields {
  return isObject(record.stats) ? record.stats : record;
}
