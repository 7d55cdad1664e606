import { testFormat } from "../../test/support/test-format.ts";
import { k6HandleSummary } from "./k6-handle-summary.ts";

const metrics = {
  http_reqs: { type: "counter", contains: "default", values: { count: 8, rate: 2 } },
  http_req_failed: {
    type: "rate",
    contains: "default",
    values: { passes: 2, fails: 6, rate: 0.25 },
    thresholds: { "rate<0.1": { ok: false } },
  },
  http_req_duration: { type: "trend", contains: "time", values: { med: 110, "p(90)": 180, "p(95)": 240.5 } },
  checks: { type: "rate", contains: "default", values: { passes: 3, fails: 1, rate: 0.75 } },
  iterations: { type: "counter", contains: "default", values: { count: 8, rate: 2 } },
};
const root_group = { name: "", path: "", id: "d41d8cd98f00b204e9800998ecf8427e", groups: [], checks: [] };
const report = (changes: object) =>
  JSON.stringify({ root_group, state: { testRunDurationMs: 9 }, metrics: { ...metrics, ...changes } });

testFormat(k6HandleSummary, {
  "errors, the 95th percentile and the checks": {
    report: report({}),
    reads: { metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } }, tool: "k6", notes: [] },
  },
  "no checks": {
    report: report({ checks: undefined }),
    reads: {
      metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } },
      notes: ["checks_pct is the share of requests that passed: the run has no checks"],
    },
  },

  "no HTTP": {
    report: JSON.stringify({ root_group, state: {}, metrics: { iterations: metrics.iterations } }),
    refused: ["nothing-measured", "measured no HTTP requests: it has no metric http_req_failed or http_req_duration"],
  },
  "no 95th percentile": {
    report: report({ http_req_duration: { values: { avg: 110 } } }),
    refused: ["unreadable-report", 'http_req_duration has no p(95): name "p(95)" in the option summaryTrendStats'],
  },
  "a metric without values": {
    report: report({ http_req_failed: { type: "rate" } }),
    refused: ["unreadable-report", "metrics.http_req_failed.values must be an object"],
  },
  "a file that is cut off": {
    report: report({}).slice(0, 300),
    refused: ["unreadable-report", "is cut off: the JSON value that begins in line 1 does not end"],
  },
});
