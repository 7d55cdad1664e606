import { testFormat } from "../../test/support/test-format.ts";
import { gatlingStats } from "./gatling-stats.ts";

const stats = {
  name: "All Requests",
  numberOfRequests: { total: 8, ok: 6, ko: 2 },
  percentiles1: { total: 100, ok: 90, ko: 200 },
  percentiles2: { total: 150, ok: 120, ko: 220 },
  percentiles3: { total: 240, ok: 180, ko: 300 },
  percentiles4: { total: 400, ok: 300, ko: 400 },
};
const nested = (changes: object) =>
  JSON.stringify({
    type: "GROUP",
    name: "All Requests",
    stats: { ...stats, ...changes },
    contents: { home: { type: "REQUEST", stats: { ...stats, numberOfRequests: { total: 8, ok: 0, ko: 8 } } } },
  });
const reading = {
  metrics: { stress_test: { error_rate: 0.25, p95_ms: 240, checks_pct: 75 } },
  tool: "Gatling",
  notes: ["checks_pct is the share of requests that passed: the report has no checks"],
};

testFormat(gatlingStats, {
  "stats.json: the outermost group": { report: nested({}), reads: reading },
  "global_stats.json": { report: JSON.stringify(stats, null, 4), reads: reading },

  "Gatling 2.0, which has two percentiles": {
    report: nested({ percentiles3: undefined, percentiles4: undefined }),
    refused: ["unreadable-report", "has no percentiles3, the 95th percentile: Gatling has it since 2.1"],
  },
  "no requests": {
    report: nested({ numberOfRequests: { total: 0, ok: 0, ko: 0 } }),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "more failed than there were": {
    report: nested({ numberOfRequests: { total: 8, ko: 9 } }),
    refused: ["unreadable-report", "the share of failed requests must be from 0 to 1"],
  },
  "a number as text": {
    report: nested({ numberOfRequests: { total: "8", ok: "6", ko: "2" } }),
    refused: ["unreadable-report", "numberOfRequests.total must be a whole number, not below 0"],
  },
  "a percentile below 0": {
    report: nested({ percentiles3: { total: -1 } }),
    refused: [
      "unreadable-report",
      "the 95th percentile of the response time in milliseconds must be from 0 to 86400000",
    ],
  },
});
