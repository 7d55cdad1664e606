import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode } from "../../src/decode.ts";
import { Document } from "../../src/document.ts";
import type { Format, Reading, ReadOptions, ReportErrorCode } from "../../src/index.ts";
import { formats, ReportError, readReport } from "../../src/index.ts";
import { expectAccepted } from "./accepted.ts";
import { swapped } from "./swapped.ts";

/** A report and what comes of it. */
export interface FormatCase {
  /** The text of the file; anything else is written as JSON. */
  readonly report: unknown;
  readonly options?: ReadOptions;
  /** Members of the reading, as `toMatchObject` takes them. */
  readonly reads?: object;
  /** The error instead: its code, and a part of its message. */
  readonly refused?: readonly [ReportErrorCode, string];
  /** Whether the file may end after any of its lines, as JSON Lines may. */
  readonly appends?: boolean;
}

/**
 * Tests a format: the cases by themselves, and of every report that is read that no other format claims it, that its
 * encoding does not matter, that the service accepts what comes of it, and that no damage passes for fewer findings.
 *
 * @param appends the same of every case
 */
export function testFormat(
  format: Format,
  cases: Readonly<Record<string, FormatCase>>,
  { appends: lines = false }: { appends?: boolean } = {},
): void {
  describe(format.name, () => {
    test.each(Object.entries(cases))("%s", (_name, { report, options, reads, refused }) => {
      const read = () => readReport(textOf(report), options);
      if (!refused) expect(read()).toMatchObject({ format: format.name, ...reads });
      else expect(errorOf(read)).toMatchObject({ code: refused[0], message: expect.stringContaining(refused[1]) });
    });

    const readable = Object.entries(cases).filter(([, { refused }]) => !refused);
    test("there are readable reports to test with", () => expect(readable.length).toBeGreaterThan(0));

    describe.each(readable)("%s", (_name, { report, options, appends = lines }) => {
      const text = textOf(report);
      const whole = readReport(text, options);
      const isEmpty = new Document(text).empty !== undefined;

      test("the service accepts what comes of it", () => expectAccepted(whole));

      test.skipIf(isEmpty)("only this format claims it", () => {
        const document = new Document(text);
        expect(formats.filter((each) => each.looksLike(document)).map(({ name }) => name)).toEqual([format.name]);
      });

      test.each(Object.entries(encodings))("it reads the same as %s", (_encoding, encode) => {
        expect(readReport(encode(text), options)).toEqual(whole);
      });

      test.skipIf(isEmpty)("cut off anywhere it is refused, or nothing is lost", () => {
        const end = text.trimEnd().length;
        const step = Math.max(1, Math.floor(end / 400));
        for (let at = 1; at < end; at += step) {
          if (appends && /\s/.test(text.slice(at - 1, at + 1))) continue;
          const outcome = outcomeOf(text.slice(0, at), options);
          if (outcome instanceof ReportError) continue;
          expect(outcome.metrics, `cut off after ${at} of ${end} characters`).toEqual(whole.metrics);
          expect(outcome.problem).toEqual(whole.problem);
        }
      });

      test.skipIf(isEmpty || appends || !text.trimEnd().endsWith(ending(text)))(
        "cut off at its end it says what it looked like",
        () => {
          expect(outcomeOf(text.trimEnd().slice(0, -1), options)).toMatchObject({
            code: "unreadable-report",
            message: expect.stringContaining(`this looks like ${format.title}, but is cut off`),
          });
        },
      );

      test("whatever takes the place of a part of it, it is read or refused", () => {
        fc.assert(
          fc.property(swapped(text), (damaged) => {
            const outcome = outcomeOf(damaged, options);
            if (!(outcome instanceof ReportError)) expectAccepted(outcome);
          }),
          { numRuns: 60 },
        );
      });
    });
  });
}

const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "UTF-8 with a byte order mark": (text) => Buffer.from(`\uFEFF${text}`),
  "UTF-8 with CRLF": (text) => Buffer.from(text.replace(/\r?\n/g, "\r\n")),
  "UTF-16LE": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  "UTF-16LE with an odd last byte": (text) =>
    Buffer.concat([Buffer.from(`\uFEFF${text}`, "utf16le"), Buffer.from("\n")]),
  "UTF-16BE": (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
};

/** How a whole report ends, unless something else follows it. */
function ending(text: string): string {
  return text.trimStart().startsWith("[") ? "]" : text.trimStart().startsWith("<") ? ">" : "}";
}

function textOf(report: unknown): string {
  return typeof report === "string" ? decode(report) : JSON.stringify(report, null, 2);
}

/** A reading or the error of a report; any other error is a fault. */
function outcomeOf(text: string, options: ReadOptions | undefined): Reading | ReportError {
  try {
    return readReport(text, options);
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
}

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
