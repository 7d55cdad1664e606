import { expect, test } from "vitest";
import { shapes } from "../bench/hostile-shapes.ts";
import { formats, ReportError, readReport } from "./index.ts";

test.each(formats.map(({ name }) => name))("of %s there is a hostile shape", (name) => {
  expect(Object.keys(shapes).map((shape) => shape.split(": ")[0])).toContain(name);
});

test.each(Object.entries(shapes))("%s", (name, [end, report]) => {
  const [format] = name.split(": ");
  expect(endOf(report(20_000))).toEqual([end, ...(end === "read" ? [format] : [])]);
});

/** How reading ends: in a reading of a format, or in the code of an error. */
function endOf(report: string): readonly string[] {
  try {
    return ["read", readReport(report).format];
  } catch (error) {
    if (error instanceof ReportError) return [error.code];
    throw error;
  }
}
