import { testFormat } from "../../test/support/test-format.ts";
import { k6SummaryExport } from "./k6-summary-export.ts";

const metrics = {
  http_reqs: { count: 8, rate: 2 },
  http_req_failed: { passes: 2, fails: 6, value: 0.25, thresholds: { "rate<0.1": true } },
  http_req_duration: { avg: 110, "p(90)": 180, "p(95)": 240.5 },
  checks: { passes: 3, fails: 1, value: 0.75 },
  iterations: { count: 8, rate: 2 },
};
const root_group = { name: "", path: "", id: "d41d8cd98f00b204e9800998ecf8427e", groups: {}, checks: {} };
const report = (changes: object) => JSON.stringify({ root_group, metrics: { ...metrics, ...changes } }, null, 2);

testFormat(k6SummaryExport, {
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
  "checks that were never made, with a threshold on them": {
    report: report({ checks: { passes: 0, fails: 0, value: 0 } }),
    reads: { metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } } },
  },
  "every request fails at once": {
    report: report({
      http_req_failed: { passes: 8, fails: 0, value: 1 },
      http_req_duration: { "p(95)": 0 },
      checks: { passes: 0, fails: 8, value: 0 },
    }),
    reads: { metrics: { stress_test: { error_rate: 1, p95_ms: 0, checks_pct: 0 } } },
  },

  "no 95th percentile": {
    report: report({ http_req_duration: { avg: 110, "p(99)": 300 } }),
    refused: ["unreadable-report", 'http_req_duration has no p(95): name "p(95)" in the option summaryTrendStats'],
  },
  "no HTTP": {
    report: JSON.stringify({ metrics: { iterations: { count: 8 }, grpc_req_duration: { "p(95)": 8 } } }),
    refused: ["nothing-measured", "measured no HTTP requests: it has no metric http_req_failed or http_req_duration"],
  },
  "k6 before 0.31": {
    report: report({ http_req_failed: undefined }),
    refused: ["unreadable-report", "has no metric http_req_failed: k6 has it since 0.31"],
  },
  "no request, with thresholds that make k6 write zeros": {
    report: report({
      http_req_failed: { passes: 0, fails: 0, value: 0 },
      http_req_duration: { avg: 0, "p(95)": 0 },
    }),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "a rate above 1": {
    report: report({ http_req_failed: { passes: 2, fails: 6, value: 25 } }),
    refused: [
      "unreadable-report",
      "the rate of http_req_failed contradicts its counts: 2500 % is stated, and 25 % counted",
    ],
  },
  "a percentile as text": {
    report: report({ http_req_duration: { "p(95)": "240" } }),
    refused: ["unreadable-report", "p(95) of http_req_duration must be a number"],
  },
  "a percentile below 0": {
    report: report({ http_req_duration: { "p(95)": -1 } }),
    refused: [
      "unreadable-report",
      "the 95th percentile of the response time in milliseconds must be from 0 to 86400000",
    ],
  },
  "checks without their number": {
    report: report({ checks: { value: 1 } }),
    refused: ["unreadable-report", "passes of checks must be a whole number, not below 0"],
  },
  "two runs in one file": {
    report: `${report({})}\n${report({ http_reqs: { count: 9 } })}`,
    refused: ["unreadable-report", "has several JSON values: give one report a file"],
  },
});
