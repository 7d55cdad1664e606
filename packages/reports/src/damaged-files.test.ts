import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { decode } from "./decode.ts";
import { Document } from "./document.ts";
import { formats, type Reading, type ReadOptions, ReportError, readReport } from "./index.ts";

/**
 * Files that were cut off, emptied, put after themselves, stored in another encoding or named as another format: they
 * give what the whole file gives, or an error.
 */

/**
 * A file of these that ends with a record is a whole file: nothing after the last record says that it is the last one. Any
 * other end of theirs shows.
 */
const endsAnywhere: Readonly<Record<string, string>> = {
  lcov: "a record after the other, each with its own end",
  "go-cover": "a block a line",
  nuclei: "JSON Lines",
  trufflehog: "JSON Lines",
  govulncheck: "a stream of JSON values",
  "jmeter-jtl": "a request a line",
};

/** Formats whose findings are listed again in a file that is put after itself; the same finding twice is no fault of theirs. */
const listsAgain = ["trufflehog"];

interface File {
  readonly name: string;
  readonly format: string;
  readonly text: string;
}

/** What is wanted of several records, which the reports of `oneOfEach` do not have. */
const streams: Readonly<Record<string, string>> = {
  lcov: "SF:a.ts\nDA:1,1\nDA:2,0\nend_of_record\nSF:b.ts\nDA:1,10\nDA:12,0\nend_of_record\n",
  "go-cover": "mode: count\na.go:1.1,2.2 1 1\na.go:3.1,4.2 10 0\na.go:5.1,6.2 12 10\n",
  nuclei: ["high", "low", "high"]
    .map((severity, index) => `${JSON.stringify({ "template-id": "a", "matched-at": index, info: { severity } })}\n`)
    .join(""),
  trufflehog: ["a.tf", "b.tf"]
    .map(
      (file) => `${JSON.stringify({ DetectorName: "AWS", Raw: "x", SourceMetadata: { Data: { Git: { file } } } })}\n`,
    )
    .join(""),
  govulncheck: [
    { config: { scanner_name: "govulncheck", scan_level: "symbol" } },
    { progress: { message: "Scanning" } },
    ...["GO-1", "GO-2"].map((osv) => ({ finding: { osv, trace: [{ module: "a", function: "f" }] } })),
  ]
    .map((message) => `${JSON.stringify(message, null, 2)}\n`)
    .join(""),
  "jmeter-jtl":
    "timeStamp,elapsed,label,responseCode,responseMessage,success\n1760000000000,90,a,200,OK,true\n1760000000001,120,a,500,Error,false\n1760000000002,100,a,200,OK,true\n",
};

const files: readonly File[] = [
  ...Object.entries(oneOfEach).flatMap(([format, reports]) =>
    Object.entries(reports).map(([name, report]) => ({
      name: `${format}: ${name}`,
      format,
      text: typeof report === "string" ? report : JSON.stringify(report),
    })),
  ),
  ...Object.entries(streams).map(([format, text]) => ({ name: `${format}: several records`, format, text })),
];

function outcomeOf(report: Uint8Array | string, options: ReadOptions): Reading | ReportError {
  try {
    return readReport(report, options);
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

/** All that a report of a format can be asked for. */
function asks(format: string): readonly ReadOptions[] {
  const { metrics = [], problems = [] } = formats.find(({ name }) => name === format) ?? {};
  return [{}, ...metrics.map((metric) => ({ metric })), ...problems.map((kind) => ({ for: "problem" as const, kind }))];
}

/** What a score or a problem is made of. */
const valuesOf = ({ format, metrics, problem, severities, coverage, load }: Reading) => ({
  format,
  metrics,
  problem,
  severities,
  covered: coverage && [coverage.covered, coverage.total],
  load,
});

/** Expects that a damaged file is refused, or gives what the whole one does, whatever it is asked for. */
function expectSame(damaged: Uint8Array | string, { format, text }: File, what: string, added: ReadOptions = {}): void {
  for (const options of asks(format)) {
    const outcome = outcomeOf(damaged, { ...options, ...added });
    if (outcome instanceof ReportError) {
      expect(outcome.message.length, what).toBeGreaterThan(10);
      continue;
    }
    const whole = outcomeOf(text, options);
    if (whole instanceof ReportError) expect.fail(`${what} is read, and the whole file is refused: ${whole.message}`);
    expect(valuesOf(outcome), what).toEqual(valuesOf(whole));
  }
}

/** Whether a file of lines that is cut off there ends with a record; that of Go ends with a number, all digits of it or not. */
function endsRecord({ format, text }: File, at: number): boolean {
  return text[at] === "\n" || text[at - 1] === "\n" || (format === "go-cover" && / \d+$/.test(text.slice(at - 9, at)));
}

function cutsOf(file: File, places: number): number[] {
  const { format, text } = file;
  const cuts = Array.from({ length: places }, (_, index) => Math.floor((index * text.length) / places));
  return cuts.filter((at) => !(format in endsAnywhere && endsRecord(file, at)));
}

const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "UTF-8 with a byte order mark": (text) => Buffer.from(`\uFEFF${text}`),
  "UTF-16LE with a byte order mark": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  "UTF-16BE with a byte order mark": (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  CRLF: (text) => Buffer.from(text.replace(/\r?\n/g, "\r\n")),
};

test("every format is tried", () => {
  expect(new Set(files.map(({ format }) => format))).toEqual(new Set(formats.map(({ name }) => name)));
});

describe.each(files)("$name", (file) => {
  test("cut off at 100 places", () => {
    for (const at of cutsOf(file, 100)) expectSame(file.text.slice(0, at), file, `cut off after ${at}`);
  });

  test("emptied", () => {
    for (const nothing of ["", "\n", "\uFEFF", "\0", " \r\n\t"]) {
      for (const options of asks(file.format)) expect(outcomeOf(nothing, options)).toBeInstanceOf(ReportError);
    }
  });

  test.skipIf(listsAgain.includes(file.format))("put after itself", () => {
    const { text } = file;
    for (const doubled of [`${text}${text}`, `${text}\n${text}`, `${text}\r\n\r\n${text}${text}`]) {
      expectSame(doubled, file, "put after itself");
    }
  });

  test.each(Object.entries(encodings))("as %s", (encoding, encode) => {
    for (const options of asks(file.format)) {
      const [outcome, whole] = [outcomeOf(encode(file.text), options), outcomeOf(file.text, options)];
      if (whole instanceof ReportError) expect(outcome, encoding).toMatchObject({ code: whole.code });
      else expect(outcome, encoding).toEqual(whole);
    }
  });

  test("named as every other format", () => {
    for (const { name } of formats.filter((other) => other.name !== file.format)) {
      for (const options of asks(file.format)) {
        expect(outcomeOf(file.text, { ...options, format: name }), name).toBeInstanceOf(ReportError);
      }
    }
  });
});

const samples = new URL("../../../../shared/samples/dev/", import.meta.url);

describe.skipIf(!existsSync(samples))("reports that real tools wrote", () => {
  const paths: readonly string[] = existsSync(samples)
    ? Object.keys(JSON.parse(readFileSync(new URL("expected-2.json", samples), "utf8")).files)
    : [];

  /** A few small ones of each format. */
  const chosen = formats.flatMap(({ name, looksLike }) =>
    paths
      .map((path) => ({ path, bytes: readFileSync(new URL(path, samples)) }))
      .filter(({ bytes }) => bytes.length < 60_000)
      .map(({ path, bytes }) => ({ name: path, format: name, text: decode(bytes) }))
      .filter(({ text }) => looksLike(new Document(text)))
      .slice(0, 3),
  );

  test.each(chosen)("$name", (file) => {
    const { format, text } = file;
    for (const at of cutsOf(file, 25)) expectSame(text.slice(0, at), file, `cut off after ${at}`);
    if (!listsAgain.includes(format)) expectSame(`${text}\n${text}`, file, "put after itself");
    for (const [encoding, encode] of Object.entries(encodings)) expectSame(encode(text), file, encoding);
    for (const { name } of formats.filter((other) => other.name !== format)) {
      expect(outcomeOf(text, { format: name }), name).toBeInstanceOf(ReportError);
    }
  });
});
