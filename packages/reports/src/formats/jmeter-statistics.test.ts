import { testFormat } from "../../test/support/test-format.ts";
import { jmeterStatistics } from "./jmeter-statistics.ts";

const total = {
  transaction: "Total",
  sampleCount: 8,
  errorCount: 2,
  errorPct: 25,
  meanResTime: 110.5,
  pct1ResTime: 180,
  pct2ResTime: 240.5,
  pct3ResTime: 400,
};
const report = (changes: object) =>
  JSON.stringify(
    { "GET /": { ...total, transaction: "GET /", errorPct: 100 }, Total: { ...total, ...changes } },
    null,
    2,
  );

testFormat(jmeterStatistics, {
  "the total; its percentages become shares": {
    report: report({}),
    reads: {
      metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } },
      tool: "JMeter",
      notes: ["checks_pct is the share of requests that passed: JMeter has no checks"],
    },
  },

  "no samples": {
    report: report({ sampleCount: 0, errorCount: 0, errorPct: 0, pct2ResTime: 0 }),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "no total": {
    report: JSON.stringify({ "GET /": { ...total, transaction: "GET /" } }),
    refused: ["unreadable-report", "Total must be an object"],
  },
  "no 95th percentile": {
    report: report({ pct2ResTime: undefined }),
    refused: ["unreadable-report", "Total.pct2ResTime must be a number"],
  },
  "a number as text": {
    report: report({ errorPct: "25" }),
    refused: ["unreadable-report", "Total.errorPct must be a number"],
  },
  "more than all failed": {
    report: report({ errorCount: undefined, errorPct: 101 }),
    refused: ["unreadable-report", "the share of failed requests must be from 0 to 1"],
  },
});
