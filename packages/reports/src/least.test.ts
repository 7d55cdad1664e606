import { describe, expect, test } from "vitest";
import { leastOf } from "../test/support/least.ts";
import { formats, type ReadOptions, ReportError, readReport } from "./index.ts";

/**
 * The least that each tool writes after a real scan is read, and nothing else that has this shape is taken for one. In
 * the code each format says beside `looksLike` what its least is.
 */

const textOf = (report: unknown) => (typeof report === "string" ? report : JSON.stringify(report));

test("every format has its least", () => {
  expect(Object.keys(leastOf).sort()).toEqual(formats.map(({ name }) => name).sort());
});

describe.each(Object.entries(leastOf))("%s", (format, { clean, options, others }) => {
  test.skipIf(clean === undefined)("the least is read", () => {
    expect(readReport(textOf(clean), options)).toMatchObject({ format, evidence: expect.any(String) });
  });

  test.each(Object.entries(others))("%s: refused", (_, report) => {
    const uses: ReadOptions[] = [options, { ...options, for: options.for ?? "score" }];
    for (const use of uses) expect(() => readReport(textOf(report), use)).toThrow(ReportError);
  });
});
