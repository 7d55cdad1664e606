import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { pathsOf, withMember } from "../test/support/swapped.ts";
import { type Format, formats, ReportError, readReport } from "./index.ts";

/** Reports that say one thing in two ways, and differently. Nothing says which is right. */

const k6 = (rate: object, checks: object = { value: 1, passes: 9, fails: 0 }) => ({
  metrics: {
    http_req_failed: rate,
    http_req_duration: { avg: 1, "p(95)": 9 },
    http_reqs: { count: 1_000, rate: 1 },
    checks,
  },
});
const nested = ({ metrics }: { metrics: Readonly<Record<string, object>> }) => ({
  metrics: Object.fromEntries(Object.entries(metrics).map(([name, values]) => [name, { type: "rate", values }])),
});
const cobertura = (attributes: string, hits: readonly number[]) =>
  `<coverage ${attributes}><packages><package><classes><class filename="a.py"><lines>${hits
    .map((count, at) => `<line number="${at + 1}" hits="${count}"/>`)
    .join("")}</lines></class></classes></package></packages></coverage>\n`;
/** Two statements on each line, one of which did not run. */
const scoverage = `<coverage line-rate="0.50" lines-valid="4" lines-covered="2"><packages><package><classes><class filename="A.scala"><lines>${[
  1, 1, 2, 2,
]
  .map((line, at) => `<line number="${line}" hits="${at % 2}" branch="false"/>`)
  .join("")}</lines></class></classes></package></packages></coverage>\n`;
const clover = (...totals: readonly [number, number][]) =>
  `<coverage generated="1"><project><file path="a.php"><line num="1" type="stmt" count="0"/></file>${totals
    .map(([covered, all]) => `<metrics statements="${all}" coveredstatements="${covered}"/>`)
    .join("")}</project></coverage>\n`;
const summary = (covered: number) => `<Summary numSequencePoints="9" visitedSequencePoints="${covered}"/>`;
const point =
  '<Modules><Module><Classes><Class><Methods><Method><SequencePoints><SequencePoint vc="0" sl="1" sc="1" el="1" ec="9"/></SequencePoints></Method></Methods></Class></Classes></Module></Modules>';
const jacoco = (...covered: readonly number[]) =>
  `<report name="a"><package name="a"><sourcefile name="a"><line nr="1" ci="0" mi="3"/></sourcefile></package>${covered
    .map((count) => `<counter type="LINE" missed="${9 - count}" covered="${count}"/>`)
    .join("")}</report>\n`;
const coveragePy = (totals: object, missing: readonly number[] = [2]) => ({
  meta: { version: "7.14.1", branch_coverage: false },
  files: { "a.py": { executed_lines: [1], missing_lines: missing } },
  totals,
});
const ofLines = (count: number, covered: number) => ({ lines: { count, covered, percent: (100 * covered) / count } });
const locust = (failures: number) =>
  `Type,Name,Request Count,Failure Count,Median Response Time,95%\nGET,/,10,9,5,9\n,Aggregated,10,${failures},5,9\n`;

/** What contradicts itself, by the format. */
const contradictions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  artillery: {
    "more status codes than answers": {
      aggregate: {
        counters: { "http.requests": 9, "http.responses": 9, "http.codes.200": 9, "http.codes.500": 9 },
        summaries: { "http.response_time": { p95: 9 } },
      },
    },
  },
  clover: {
    "two totals": clover([5, 9], [9, 10]),
    "two equal totals": clover([5, 9], [5, 9]),
    "a total without the statement that did not run": clover([9, 9]),
  },
  cobertura: {
    "a rate that is not that of its totals": cobertura('line-rate="0.9" lines-covered="1" lines-valid="10"', []),
    "a rate that is not that of its lines": cobertura('line-rate="0.9"', [1, 0, 0, 0]),
    "totals that are not those of its lines": cobertura('lines-covered="9" lines-valid="10"', [1, 0, 0, 0]),
  },
  coveragepy: {
    "missing lines": coveragePy({ covered_lines: 1, num_statements: 2, missing_lines: 5 }),
    "a total without the line that did not run": coveragePy({ covered_lines: 9, num_statements: 9 }),
  },
  "gatling-stats": {
    "requests that are neither": {
      stats: { numberOfRequests: { total: 10, ok: 10, ko: 9 }, percentiles3: { total: 9 } },
    },
  },
  "istanbul-summary": { "a percentage": { total: { lines: { total: 10, covered: 1, skipped: 0, pct: 90 } } } },
  jacoco: { "two totals": jacoco(5, 6), "a total without the line that did not run": jacoco(9) },
  "jmeter-statistics": {
    "a percentage of errors": {
      Total: { transaction: "Total", sampleCount: 10, errorCount: 9, errorPct: 0, pct2ResTime: 9 },
    },
  },
  "k6-summary-export": {
    "a rate of 0 and 100 failures": k6({ value: 0, passes: 100, fails: 900 }),
    "a rate of checks": k6({ value: 0, passes: 0, fails: 900 }, { value: 1, passes: 0, fails: 9 }),
  },
  "k6-handle-summary": { "a rate of 0 and 100 failures": nested(k6({ rate: 0, passes: 100, fails: 900 })) },
  "k6-machine-readable": {
    "a rate of 0 and 100 failures": {
      version: "1.0.0",
      config: {},
      metadata: { k6Version: "1.5.0" },
      results: {
        metrics: [
          { name: "http_req_failed", values: { rate: 0, matches: 100, total: 1_000 } },
          { name: "http_req_duration", values: { "p(95)": 9 } },
        ],
      },
    },
  },
  "llvm-cov": {
    "totals that are not the sum of the files": {
      data: [{ files: [{ filename: "/a.cc", segments: [], summary: ofLines(2, 1) }], totals: ofLines(2, 2) }],
      type: "llvm.coverage.json.export",
      version: "3.0.1",
    },
  },
  "locust-stats": { "a total with other failures than its rows": locust(0) },
  opencover: {
    "two totals": `<CoverageSession>${summary(1)}${summary(9)}${point}</CoverageSession>\n`,
    "a total without the point that did not run": `<CoverageSession>${summary(9)}${point}</CoverageSession>\n`,
  },
};

/** Why the other formats of coverage and load tests cannot contradict themselves. */
const single: Readonly<Record<string, string>> = {
  "go-cover": "has no totals",
  "istanbul-final": "has no totals",
  "jmeter-jtl": "has no totals",
  lcov: "has totals that some tools count wrongly, so that its lines alone count",
  simplecov: "has no totals",
};

const isMeasured = ({ metrics }: Format) => metrics.every((metric) => /coverage|stress_test/.test(metric));

test("of every format of coverage and load tests it is known what it says twice", () => {
  const named = formats.filter(isMeasured).map(({ name }) => name);
  expect([...Object.keys(contradictions), ...Object.keys(single)].sort()).toEqual(named.sort());
});

const textOf = (report: unknown) => (typeof report === "string" ? report : JSON.stringify(report));

describe.each(Object.entries(contradictions))("%s", (format, reports) => {
  test.each(Object.entries(reports))("%s", (_, report) => {
    const metric = formats.find(({ name }) => name === format)?.metrics[0];
    expect(() => readReport(textOf(report), metric ? { metric } : {})).toThrow(
      expect.objectContaining({
        code: "unreadable-report",
        message: expect.stringMatching(/contradicts|two totals|is not the sum/),
      }),
    );
  });
});

describe("what rounding and other ways of counting explain is read", () => {
  test.each<[string, unknown]>([
    ["a rate of two digits", cobertura('line-rate="0.33" lines-covered="1" lines-valid="3"', [1, 0, 0])],
    ["a rate in percent", cobertura('line-rate="33.3" lines-covered="1" lines-valid="3"', [])],
    ["a rate of nothing", cobertura('line-rate="NaN" lines-covered="1" lines-valid="2"', [])],
    ["a line of two classes", cobertura('line-rate="0.75" lines-covered="3" lines-valid="4"', [1, 1, 0])],
    ["a statement a line, as of scoverage", scoverage],
    ["a percentage cut after two digits", { total: { lines: { total: 3, covered: 2, pct: 66.66 } } }],
    ["lines of several statements", clover([5, 9])],
    ["docstrings, which are no statements", coveragePy({ covered_lines: 0, num_statements: 1, missing_lines: 1 })],
    ["no checks", k6({ value: 0.1, passes: 100, fails: 900 }, { value: 0, passes: 0, fails: 0 })],
  ])("%s", (_, report) => {
    expect(Object.keys(readReport(textOf(report)).metrics).length).toBeGreaterThan(0);
  });
});

const reports = Object.entries(oneOfEach).flatMap(([format, each]) =>
  Object.entries(each)
    .filter(([, report]) => typeof report !== "string")
    .map(([name, report]) => ({ name: `${format}: ${name}`, format, report })),
);

/** Stands for the repeated key while the text of a report is written. */
const mark = "key that stands there again";

/**
 * The text of a report in which the last key of a path stands twice: first with another value if there is one. Undefined
 * if the path has no key.
 */
function withRepeatedKey(report: unknown, path: readonly string[], other?: unknown): string | undefined {
  const key = path.at(-1);
  const valueAt = (steps: readonly string[]) =>
    steps.reduce<unknown>((inner, step) => (inner as Readonly<Record<string, unknown>>)[step], report);
  const parents = path.slice(0, -1);
  if (key === undefined || Array.isArray(valueAt(parents))) return undefined;
  const changed = other === undefined ? report : withMember(report, path, other);
  const marked = withMember(changed, [...parents, mark], valueAt(path));
  return JSON.stringify(marked).replace(JSON.stringify(mark), () => JSON.stringify(key));
}

/** The reading of a report, or why it is refused. */
function outcomeOf(text: string, format: string): unknown {
  try {
    return readReport(text, { format });
  } catch (error) {
    if (error instanceof ReportError) return error.message;
    throw error;
  }
}

const repeating = reports
  .map((each) => ({
    ...each,
    paths: pathsOf(each.report).filter((path) => withRepeatedKey(each.report, path) !== undefined),
  }))
  .filter(({ paths }) => paths.length > 0);

describe.each(repeating)("a key that stands twice: $name", ({ format, report, paths }) => {
  test("with one value, it contradicts nothing", () => {
    const plain = outcomeOf(JSON.stringify(report), format);
    fc.assert(
      fc.property(fc.constantFrom(...paths), (path) => {
        expect(outcomeOf(withRepeatedKey(report, path) ?? "", format)).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  test("with two values, the report is refused wherever it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths), (path) => {
        const text = withRepeatedKey(report, path, "another value") ?? "";
        expect(() => readReport(text, { format })).toThrow(
          expect.objectContaining({
            code: "unreadable-report",
            message: expect.stringContaining("twice in one object"),
          }),
        );
      }),
      { numRuns: 20 },
    );
  });
});

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', true],
  [String.raw`{"a":1,"\u0061":2}`, false],
  [String.raw`{"a\"":1,"a":2,"b":"a"}`, true],
  ['{"a" : 1 , "b":[{"a":"x: \\"a\\":"}], "a"\n:2}', false],
  ['{"constructor":1,"__proto__":2}', true],
  ['{"a":{"b":[1,{}]},"c":"a","a": {"b":[1,{}]} }', true],
  ['{"a":"x,}","a":"x,}","b":-1.5e+3,"b":-1.5e+3,"c":null,"c":null}', true],
  ['{"a":1,"a":1,"a":2}', false],
  ['{"a":1,"a":10}', false],
  ['{"a":[1],"a":[1,1]}', false],
  ['{"a":"x","a":"x "}', false],
])("the keys of %s", (text, isUnique) => {
  const member = text.slice(1, -1);
  const read = () => readReport(`{"template-id":"a","info":{"severity":"low"},"x":{${member}}}`);
  if (isUnique) expect(read().format).toBe("nuclei");
  else expect(read).toThrow("twice in one object");
});

describe("a file whose beginning is cut off", () => {
  const records = [
    { "template-id": "a", host: "x}", info: { severity: "critical", tags: ["{", "]"] } },
    { "template-id": "b", info: { severity: "low" } },
    { "template-id": "c", info: { severity: "low" } },
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");

  test("is refused wherever its first line begins", () => {
    const first = text.indexOf("\n");
    for (let at = 1; at < first; at++) {
      const outcome = (() => {
        try {
          return readReport(text.slice(at), { format: "nuclei" });
        } catch (error) {
          return error;
        }
      })();
      expect(outcome, text.slice(at, first)).toBeInstanceOf(ReportError);
    }
  });

  test("is refused where a line between others has lost its beginning", () => {
    const [one, two, three] = text.trimEnd().split("\n");
    expect(() => readReport(`${one}\n${two?.slice(9)}\n${three}`)).toThrow("between line 1 and line 3");
  });

  test.each([
    ["of klog", "I0102 15:04:05.678901   12345 main.go:123] scanned 3 hosts\n"],
    ["with colours", "\u001b[34mINF\u001b[0m Templates loaded [3]\n"],
    ["with an object", "Error: refused {\n  errno: -111,\n  code: 'ECONNREFUSED'\n}\n"],
    ["with a quote", 'the 3" disk [sda] is full\n'],
  ])("is distinguished from log lines %s", (_, log) => {
    for (const mixed of [log + text, text + log, text.replace("\n", `\n${log}`)]) {
      expect(readReport(mixed).metrics.dast).toMatchObject({ high: 1, low: 2 });
    }
  });
});
