import type { ReadOptions } from "../../src/index.ts";

/** The least that a tool writes after a real scan, and what else has this shape. */
export interface Least {
  /** The least after a scan that found nothing, or after a run. Absent for tools that show no scan without findings. */
  readonly clean?: unknown;
  /** What the caller has to say of it. */
  readonly options: ReadOptions;
  /** Files of the same shape that are no scan, or show none: each is refused. */
  readonly others: Readonly<Record<string, unknown>>;
}

const coverage: ReadOptions = { metric: "unit_coverage" };
const load: ReadOptions = { metric: "stress_test" };

const llvmCov = (count: number) => ({
  data: [{ files: [{ filename: "/a.cc", segments: [], summary: { lines: { count, covered: 0 } } }] }],
  type: "llvm.coverage.json.export",
});
const k6 = (requests: number, wrap: (values: object) => object) => ({
  metrics: {
    http_req_failed: wrap({ rate: 0, value: 0, passes: 0, fails: requests }),
    http_req_duration: wrap({ "p(95)": 9 }),
    iterations: wrap({ count: requests }),
  },
});
const exported = (values: object) => values;
const summed = (values: object) => ({ type: "rate", values });
const machineReadable = (total: number) => ({
  metadata: { k6Version: "1.5.0" },
  results: {
    metrics: [
      { name: "http_req_failed", values: { rate: 0, matches: 0, total } },
      { name: "http_req_duration", values: { "p(95)": 9 } },
    ],
  },
});
const gatling = (total: number) => ({ numberOfRequests: { total, ko: 0 }, percentiles3: { total: 9 } });
const jmeter = (sampleCount: number) => ({
  Total: { transaction: "Total", sampleCount, errorCount: 0, errorPct: 0, pct2ResTime: 9 },
});
const artillery = (requests: number) => ({
  aggregate: {
    counters: { "http.requests": requests, "http.responses": requests },
    summaries: { "http.response_time": { p95: 9 } },
  },
});
const locust = (requests: number) =>
  `Type,Name,Request Count,Failure Count,Median Response Time,95%\n,Aggregated,${requests},0,5,9\n`;

/**
 * The same of coverage and load tests. Silence gives them no score, but a file of this shape could: so each has at least
 * one line that can be covered, or one request that was made.
 */
export const leastOfTests: Readonly<Record<string, Least>> = {
  lcov: {
    clean: "SF:a.ts\nDA:1,0\nend_of_record\n",
    options: coverage,
    others: { "no line": "TN:\nSF:a.ts\nend_of_record\n", "a name alone": "TN:\n" },
  },
  cobertura: {
    clean: '<coverage lines-covered="0" lines-valid="1"/>',
    options: coverage,
    others: { "no line": '<coverage line-rate="1"><packages/></coverage>', "another element": "<coverage/>" },
  },
  jacoco: {
    clean: '<report><counter type="LINE" missed="1" covered="0"/></report>',
    options: coverage,
    others: {
      "no line": '<report><counter type="LINE" missed="0" covered="0"/></report>',
      "a report of another tool": "<report><file/></report>",
    },
  },
  clover: {
    clean: '<coverage generated="1"><project><metrics statements="1" coveredstatements="0"/></project></coverage>',
    options: coverage,
    others: {
      "no statement":
        '<coverage generated="1"><project><metrics statements="0" coveredstatements="0"/></project></coverage>',
    },
  },
  opencover: {
    clean: '<CoverageSession><Summary numSequencePoints="1" visitedSequencePoints="0"/></CoverageSession>',
    options: coverage,
    others: { "a session without a module": "<CoverageSession><Modules/></CoverageSession>" },
  },
  "istanbul-summary": {
    clean: { total: { lines: { total: 1, covered: 0 } } },
    options: coverage,
    others: {
      "no line": { total: { lines: { total: 0, covered: 0, pct: 100 } } },
      "a percentage for a badge": { total: { lines: { pct: 100 } } },
    },
  },
  "istanbul-final": {
    clean: { "/a.ts": { statementMap: { 0: { start: { line: 1 } } }, s: { 0: 0 } } },
    options: coverage,
    others: { "a file without statements": { "/a.ts": { statementMap: {}, s: {} } } },
  },
  simplecov: {
    clean: { RSpec: { coverage: { "/a.rb": [0] } } },
    options: coverage,
    others: { "a run that loaded nothing": { RSpec: { coverage: {}, timestamp: 1 } } },
  },
  coveragepy: {
    clean: {
      meta: { version: "7", branch_coverage: false },
      files: {},
      totals: { covered_lines: 0, num_statements: 1 },
    },
    options: coverage,
    others: {
      "no statement": {
        meta: { version: "7", branch_coverage: false },
        files: {},
        totals: { covered_lines: 0, num_statements: 0, percent_covered: 100 },
      },
    },
  },
  "llvm-cov": {
    clean: llvmCov(1),
    options: coverage,
    others: { "no line": llvmCov(0), "an export without data": { data: [], type: "llvm.coverage.json.export" } },
  },
  "go-cover": {
    clean: "mode: set\na.go:1.1,2.2 1 0\n",
    options: coverage,
    others: { "no block": "mode: set\n", "another file": "mode: dark\n" },
  },
  "k6-summary-export": { clean: k6(1, exported), options: load, others: { "no request": k6(0, exported) } },
  "k6-handle-summary": { clean: k6(1, summed), options: load, others: { "no request": k6(0, summed) } },
  "k6-machine-readable": { clean: machineReadable(1), options: load, others: { "no request": machineReadable(0) } },
  "jmeter-jtl": {
    clean: "timeStamp,elapsed,label,success\n1760000000000,9,a,true\n",
    options: load,
    others: { "a header": "timeStamp,elapsed,label,success\n" },
  },
  "jmeter-statistics": { clean: jmeter(1), options: load, others: { "no sample": jmeter(0) } },
  "gatling-stats": { clean: gatling(1), options: load, others: { "no request": gatling(0) } },
  "locust-stats": { clean: locust(1), options: load, others: { "no request": locust(0) } },
  artillery: { clean: artillery(1), options: load, others: { "no request": artillery(0) } },
};
