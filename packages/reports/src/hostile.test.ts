import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectAccepted } from "../test/support/accepted.ts";
import { changed, changes } from "../test/support/hostile.ts";
import { oneOfEach } from "../test/support/one-of-each.ts";
import {
  beginningLength,
  type Format,
  formats,
  type ReadOptions,
  ReportError,
  readReport,
  recognize,
} from "./index.ts";

/** Whatever a report holds, it is read into values that the service accepts, or refused with a `ReportError`. */

/** All that a report of a format can be asked for. */
function asks(name: string): readonly ReadOptions[] {
  const { metrics = [], problems = [] } = formats.find((format) => format.name === name) ?? {};
  return [
    {},
    { format: name, assumeScanned: true, assumeSeverity: "high" },
    ...metrics.map((metric) => ({ metric, for: "score" as const })),
    ...problems.map((kind) => ({ for: "problem" as const, kind })),
  ];
}

function expectRefusedOrAccepted(text: string, name: string): void {
  const bytes = new TextEncoder().encode(text);
  recognize(bytes, true);
  recognize(bytes.subarray(0, beginningLength), bytes.length <= beginningLength);
  for (const options of asks(name)) {
    try {
      expectAccepted(readReport(text, options));
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      expect(error.message.length).toBeLessThanOrEqual(2_001);
    }
  }
}

const textOf = (report: unknown): string => (typeof report === "string" ? report : JSON.stringify(report));

test.each(Object.entries(oneOfEach))("%s, whatever is done to its reports", (name, reports) => {
  const texts = Object.values(reports).map(textOf);
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, (text, done) => {
      expectRefusedOrAccepted(done.reduce(changed, text), name);
    }),
    { seed: 20_260_105, numRuns: 120 },
  );
});

const nested = "[".repeat(50_000) + "]".repeat(50_000);

/** Reports that once ended in another error, or gave what cannot be. */
const found: Readonly<Record<string, readonly [format: string, report: string]>> = {
  "a match of Nuclei that nests": ["nuclei", `{"template-id":"a","info":{"severity":"high"},"extracted":${nested}}`],
  "an exception of dependency-check that nests": [
    "dependency-check-json",
    `{"reportSchema":"1.1","scanInfo":{"analysisExceptions":[${nested}]},"dependencies":[]}`,
  ],
  "an id of Snyk that nests": ["snyk", `{"ok":false,"vulnerabilities":[{"id":${nested},"severity":"high"}]}`],
  "millions of comments in LCOV": ["lcov", "#\n".repeat(4_000_000)],
  "statements of 400 digits in a Go cover profile": ["go-cover", `mode: set\na.go:1.1,2.2 ${"9".repeat(400)} 1\n`],
};

describe("once read, or ended in another error", () => {
  test.each(Object.entries(found))("%s", (_name, [format, report]) => {
    expectRefusedOrAccepted(report, format);
    expect(() => readReport(report, { format })).toThrow(ReportError);
  });
});

test("a report with more in it than JavaScript can hold is refused", () => {
  const greedy: Format = {
    name: "greedy",
    title: "a list of all its pairs",
    time: "none",
    metrics: ["sast"],
    looksLike: () => true,
    read: ({ text }) => ({ tool: text.repeat(2 ** 30) }),
  };
  expect(() => readReport("a", { formats: [greedy] })).toThrow(
    new ReportError(
      "unreadable-report",
      "this looks like a list of all its pairs, but has more in it than can be held: give it in several parts",
    ),
  );
});
