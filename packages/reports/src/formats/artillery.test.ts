import { testFormat } from "../../test/support/test-format.ts";
import { artillery } from "./artillery.ts";

const counters = {
  "vusers.created": 8,
  "http.requests": 8,
  "http.responses": 7,
  "http.codes.200": 6,
  "http.codes.503": 1,
  "errors.ETIMEDOUT": 1,
};
const version2 = (changes: object, p95: unknown = 240.5) =>
  JSON.stringify({
    aggregate: {
      counters: { ...counters, ...changes },
      rates: { "http.request_rate": 5 },
      summaries: { "http.response_time": { min: 1, max: 300, count: 7, p95 }, "vusers.session_length": { p95: 999 } },
    },
    intermediate: [],
  });
const version1 = (changes: object) =>
  JSON.stringify({
    aggregate: {
      scenariosCreated: 8,
      requestsCompleted: 7,
      latency: { min: 1, max: 300, median: 100, p95: 240.5, p99: 300 },
      errors: { ETIMEDOUT: 1 },
      codes: { "200": 6, "503": 1 },
      counters: {},
      ...changes,
    },
    intermediate: [],
  });
const reading = {
  metrics: { stress_test: { error_rate: 0.25, p95_ms: 240.5, checks_pct: 75 } },
  tool: "Artillery",
  warnings: [] as string[],
  notes: ["checks_pct is the share of requests that passed: the report has no checks"],
};

testFormat(artillery, {
  "version 2: no answer, or one of 5xx": { report: version2({}), reads: reading },
  "version 2: errors of the script are none of the requests": {
    report: version2({ 'errors.Undefined function "buy"': 500, "plugins.metrics-by-endpoint./.codes.404": 9 }),
    reads: {
      ...reading,
      warnings: ["500 errors of the script are not counted: a part of the test did not run"],
    },
  },
  "version 2 before its release, whose counters have longer names": {
    report: version2({}).replaceAll('"http.', '"engine.http.'),
    reads: reading,
  },
  "version 1": { report: version1({}), reads: reading },

  "version 2: no request was answered": {
    report: JSON.stringify({
      aggregate: { counters: { "http.requests": 8, "errors.ECONNREFUSED": 8 }, summaries: {} },
    }),
    refused: ["unreadable-report", "has no 95th percentile of the response time: no request was answered"],
  },
  "version 1: no request was answered": {
    report: version1({ requestsCompleted: 0, errors: { ECONNREFUSED: 8 }, codes: {}, latency: { p95: null } }),
    refused: ["unreadable-report", "has no 95th percentile of the response time: no request was answered"],
  },
  "version 2: no HTTP": {
    report: JSON.stringify({ aggregate: { counters: { "websocket.messages_sent": 8 }, summaries: {} } }),
    refused: ["nothing-measured", "measured no HTTP requests: it has no counter http.requests"],
  },
  "version 1: no requests": {
    report: version1({ requestsCompleted: 0, errors: {}, codes: {}, latency: { p95: null } }),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "more answers than requests": {
    report: version2({ "http.responses": 20 }),
    refused: ["unreadable-report", "the share of failed requests must be from 0 to 1"],
  },
  "version 1: more status codes than answers": {
    report: version1({ codes: { "200": 60 } }),
    refused: ["unreadable-report", "aggregate.codes contradicts the number of responses: it has 60 of 7"],
  },
  "version 2: more status codes than answers": {
    report: version2({ "http.codes.200": 60 }),
    refused: ["unreadable-report", "http.codes contradicts the number of responses: it has 61 of 7"],
  },
  "a count as text": {
    report: version2({ "http.codes.404": "3" }),
    refused: ["unreadable-report", "an entry of http.codes must be a whole number, not below 0"],
  },
  "a percentile as text": {
    report: version2({}, "240"),
    refused: ["unreadable-report", "p95 of the response times must be a number"],
  },
});
