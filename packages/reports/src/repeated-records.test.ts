import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { formats, type Reading, type ReadOptions, ReportError, readReport } from "./index.ts";

/** Reports and findings that stand in a file again count once, wherever they stand: first, last, or between others. */

/** Formats of which equal records are different findings. */
const keepsEqual = ["trufflehog"];

const metrics = (name: string) => formats.find((format) => format.name === name)?.metrics ?? [];

const cases = Object.entries(oneOfEach)
  .flatMap(([format, reports]) => Object.values(reports).map((report) => ({ format, report })))
  .filter(({ report }) => typeof report !== "string")
  .flatMap(({ format, report }) =>
    metrics(format).map((metric) => ({ name: `${format} for ${metric}`, format, metric, report })),
  );

function outcomeOf(text: string, options: ReadOptions): Pick<Reading, "metrics" | "problems"> | string {
  try {
    const { metrics, problems } = readReport(text, options);
    return { metrics, problems };
  } catch (error) {
    if (error instanceof ReportError) return error.code;
    throw error;
  }
}

/** The same report of another run: its records differ by a member that no format reads. */
const another = (report: unknown): unknown =>
  Array.isArray(report) ? report.map(another) : { ...(report as object), "x-run": 2 };

describe.each(cases.filter(({ format }) => !keepsEqual.includes(format)))("$name", ({ format, metric, report }) => {
  const [a, b] = [report, another(report)].map((each) => JSON.stringify(each));
  const read = (...texts: readonly (string | undefined)[]) => outcomeOf(texts.join("\n"), { format, metric });

  test("once or again", () => {
    expect(read(a, a)).toEqual(read(a));
    const both = read(a, b);
    for (const order of [
      [a, b, b],
      [a, a, b],
      [a, b, a],
      [a, b, a, b],
    ])
      expect(read(...order)).toEqual(both);
  });

  test("in one list", () => {
    const list = (...values: readonly (string | undefined)[]) => {
      const entries = values.map((value) => (value?.startsWith("[") ? value.slice(1, -1) : value));
      return outcomeOf(`[${entries.join(",")}]`, { format, metric });
    };
    expect(list(a, b, b)).toEqual(list(a, b));
  });
});

test("a note says how many", () => {
  const match = (host: string) => `${JSON.stringify({ "template-id": "a", host, info: { severity: "high" } })}\n`;
  expect(readReport(match("a") + match("b") + match("b") + match("b"))).toMatchObject({
    metrics: { dast: { high: 2 } },
    notes: ["2 repeated, counted once"],
  });
});

test("equal lines of TruffleHog are secrets that stand in a file several times", () => {
  const line = `${JSON.stringify({ DetectorName: "AWS", Raw: "x", SourceMetadata: { Data: { Docker: { file: "a" } } } })}\n`;
  expect(readReport(line.repeat(3)).metrics).toEqual({ secret_scan: { found: true, count: 3 } });
});

test("an issue of Burp counts once by its serial number", () => {
  const issue = (serial: string) => `<issue>${serial}<severity>High</severity></issue>`;
  const [one, other] = ["<serialNumber>1</serialNumber>", "<serialNumber>2</serialNumber>"].map(issue);
  const report = `<issues burpVersion="2026.4">${one}${other}${other}${issue("")}${issue("")}</issues>`;
  expect(readReport(report).metrics.dast).toMatchObject({ high: 4 });
});

describe("rows of CSV", () => {
  const header = "timeStamp,elapsed,label,responseCode,responseMessage,success\n";
  const run = (start: number) => `${header}${start},90,a,200,OK,true\n${start + 1},120,a,500,Error,false\n`;

  test("of two runs are read", () => {
    expect(readReport(run(1_760_000_000_000) + run(1_770_000_000_000)).load).toMatchObject({ error_rate: 0.5 });
  });

  test.each([
    ["first", [1, 1, 2]],
    ["last", [1, 2, 2]],
    ["between", [1, 2, 1]],
  ])("of one run, again as the %s", (_, runs) => {
    const text = runs.map((at) => run(1_760_000_000_000 + at * 1_000_000)).join("");
    expect(() => readReport(text)).toThrow("holds the same report twice");
  });
});
