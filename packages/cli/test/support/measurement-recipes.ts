import type { Recipe } from "./recipe.ts";

const half = { coverage_pct: 50, covered: 2, total: 4 };
const load = { error_rate: 0.25, p95_ms: 240, checks_pct: 75 };

/** By the headings of docs/recipes.md. */
export const measurementRecipes: Readonly<Record<string, Recipe>> = {
  LCOV: {
    tool: "npx",
    file: "coverage/lcov.info",
    report: "TN:\nSF:src/cart.ts\nDA:1,4\nDA:2,4\nDA:3,0\nDA:4,0\nLF:4\nLH:2\nend_of_record\n",
    scores: { unit_coverage: half },
  },
  Cobertura: {
    tool: "pytest",
    file: "coverage.xml",
    report:
      '<?xml version="1.0"?><coverage line-rate="0.5" lines-covered="2" lines-valid="4" version="7.6"><packages/></coverage>',
    scores: { unit_coverage: half },
  },
  JaCoCo: {
    tool: "mvn",
    file: "target/site/jacoco/jacoco.xml",
    report:
      '<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="cart"><counter type="LINE" missed="2" covered="2"/></report>',
    scores: { unit_coverage: half },
  },
  Istanbul: {
    tool: "npx",
    file: "coverage/coverage-summary.json",
    report: {
      total: Object.fromEntries(
        ["lines", "statements", "functions", "branches"].map((unit) => [
          unit,
          { total: 4, covered: 2, skipped: 0, pct: 50 },
        ]),
      ),
    },
    scores: { unit_coverage: half },
  },
  "Istanbul with lines": {
    tool: "npx",
    file: "coverage/coverage-final.json",
    report: {
      "/shop/cart.ts": {
        path: "/shop/cart.ts",
        statementMap: Object.fromEntries([1, 2, 3, 4].map((line) => [line, { start: { line, column: 0 } }])),
        s: { 1: 1, 2: 7, 3: 0, 4: 0 },
      },
    },
    scores: { unit_coverage: half },
  },
  SimpleCov: {
    tool: "bundle",
    file: "coverage/.resultset.json",
    report: {
      RSpec: {
        coverage: { "/shop/cart.rb": { lines: [1, null, 7, 0, 0] } },
        timestamp: Math.floor(Date.now() / 1_000),
      },
    },
    scores: { unit_coverage: half },
  },
  "llvm-cov": {
    tool: "cargo",
    file: "llvm-cov.json",
    report: {
      cargo_llvm_cov: { manifest_path: "/shop/Cargo.toml", version: "0.6.16" },
      data: [
        {
          files: [{ filename: "/shop/src/cart.rs", summary: { lines: { count: 4, covered: 2, percent: 50 } } }],
          totals: { lines: { count: 4, covered: 2, percent: 50 } },
        },
      ],
      type: "llvm.coverage.json.export",
      version: "3.0.1",
    },
    scores: { unit_coverage: half },
  },
  "coverage.py": {
    tool: "coverage",
    file: "coverage.json",
    report: {
      meta: { format: 3, version: "7.14.1", branch_coverage: false, show_contexts: false },
      files: { "cart.py": { executed_lines: [1, 2], missing_lines: [3, 4], excluded_lines: [] } },
      totals: { covered_lines: 2, num_statements: 4, percent_covered: 50 },
    },
    scores: { unit_coverage: half },
  },
  OpenCover: {
    tool: "dotnet",
    file: "coverage/0/coverage.opencover.xml",
    report:
      '<?xml version="1.0"?><CoverageSession><Summary numSequencePoints="4" visitedSequencePoints="2"/><Modules/></CoverageSession>',
    scores: { unit_coverage: half },
  },
  Clover: {
    tool: "vendor/bin/phpunit",
    file: "clover.xml",
    report:
      '<?xml version="1.0"?><coverage generated="1"><project timestamp="1"><metrics statements="4" coveredstatements="2"/></project></coverage>',
    scores: { unit_coverage: half },
  },
  Go: {
    tool: "go",
    file: "cover.out",
    report: "mode: set\nexample.com/cart/cart.go:5.20,8.2 2 1\nexample.com/cart/cart.go:9.20,12.2 2 0\n",
    scores: { unit_coverage: half },
  },
  k6: {
    tool: "k6",
    file: "k6.json",
    exit: 99,
    report: {
      root_group: { name: "", path: "", groups: {}, checks: {} },
      metrics: {
        http_reqs: { count: 8, rate: 2 },
        http_req_failed: { passes: 2, fails: 6, value: 0.25 },
        http_req_duration: { avg: 110, "p(95)": 240 },
        checks: { passes: 3, fails: 1, value: 0.75 },
      },
    },
    scores: { stress_test: load },
  },
  JMeter: {
    tool: "jmeter",
    file: "jmeter.jtl",
    report: `timeStamp,elapsed,label,responseCode,success
1,240,GET /,200,true
2,100,GET /,500,false
3,110,GET /,200,true
4,120,GET /,200,true
`,
    scores: { stress_test: load },
  },
  Gatling: {
    tool: "mvn",
    file: "target/gatling/load-20261120/js/stats.json",
    report: {
      type: "GROUP",
      name: "All Requests",
      stats: { name: "All Requests", numberOfRequests: { total: 8, ok: 6, ko: 2 }, percentiles3: { total: 240 } },
      contents: {},
    },
    scores: { stress_test: load },
  },
  Locust: {
    tool: "locust",
    file: "locust_stats.csv",
    report: "Type,Name,Request Count,Failure Count,95%\nGET,/,8,2,240\n,Aggregated,8,2,240\n",
    scores: { stress_test: load },
  },
  Artillery: {
    tool: "npx",
    file: "artillery.json",
    report: {
      aggregate: {
        counters: { "http.requests": 8, "http.responses": 8, "http.codes.200": 6, "http.codes.503": 2 },
        summaries: { "http.response_time": { p95: 240 } },
      },
      intermediate: [],
    },
    scores: { stress_test: load },
  },
};
