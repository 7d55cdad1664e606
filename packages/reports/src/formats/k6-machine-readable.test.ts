import { testFormat } from "../../test/support/test-format.ts";
import { k6MachineReadable } from "./k6-machine-readable.ts";

const rate = (name: string, matches: number, total: number) => ({
  name,
  type: "rate",
  contains: "default",
  values: { matches, total, rate: total === 0 ? 0 : matches / total },
});
const duration = (values: object) => ({ name: "http_req_duration", type: "trend", contains: "time", values });
const checks = {
  metrics: [
    { name: "checks_total", type: "counter", contains: "default", values: { count: 4 } },
    rate("checks_failed", 1, 4),
    rate("checks_succeeded", 3, 4),
  ],
  results: [{ name: "status is 200", passes: 3, fails: 1 }],
};
const report = (results: object) =>
  JSON.stringify({
    version: "1.0.0",
    metadata: { generatedAt: "2026-01-15T10:30:45.123Z", k6Version: "1.5.0" },
    config: { execution: "local", script: "shop.js", duration: 60 },
    results: { metrics: [duration({ "p(95)": 240.5 }), rate("http_req_failed", 2, 8)], checks, ...results },
  });

testFormat(k6MachineReadable, {
  "errors, the 95th percentile and the checks": {
    report: report({}),
    reads: {
      metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } },
      tool: "k6 1.5.0",
      notes: [],
    },
  },
  "no checks": {
    report: report({ checks: { metrics: null, results: null } }),
    reads: {
      metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } },
      notes: ["checks_pct is the share of requests that passed: the run has no checks"],
    },
  },

  "no HTTP": {
    report: report({ metrics: [] }),
    refused: ["nothing-measured", "measured no HTTP requests: it has no metric http_req_failed or http_req_duration"],
  },
  "no request": {
    report: report({ metrics: [duration({ "p(95)": 0 }), rate("http_req_failed", 0, 0)] }),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "no 95th percentile": {
    report: report({ metrics: [duration({ avg: 110 }), rate("http_req_failed", 2, 8)] }),
    refused: ["unreadable-report", 'http_req_duration has no p(95): name "p(95)" in the option summaryTrendStats'],
  },
  "no list of metrics": {
    report: report({ metrics: {} }),
    refused: ["unreadable-report", "results.metrics must be a list"],
  },
});
