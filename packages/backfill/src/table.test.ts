import fc from "fast-check";
import { expect, test } from "vitest";
import { csvHeader, csvRow } from "../../../services/scoring/src/lists/csv.ts";
import { rowsOf } from "./table.ts";

/** The cells of a column, as they are read from a list of the service. */
function readBack(texts: readonly string[]): unknown[] {
  const columns = { app: (text: string) => text, day: () => "2026-01-31" };
  const lines = [csvHeader(columns), ...texts.map((text) => csvRow(columns, text))];
  return [...rowsOf(lines.join(""))].map(({ fields, fault }) => fault ?? fields.app);
}

test.each([
  "=cmd",
  "'=cmd",
  "''=cmd",
  "'",
  "'a",
  "''",
  "a|b|c|d",
  "'-1",
  "@a/b@1.0.0",
  "'@a/b@1.0.0",
  "'@a",
  "' =1",
  "\uff1d1",
])("%j is read as the service has it", (text) => {
  expect(readBack([text])).toEqual([text]);
});

test("every text without white space at its ends is read as the service has it", () => {
  const start = fc.string({ unit: fc.constantFrom("'", "=", "+", "-", "@", "\uff0b", "\t", " ", '"', ",", "@a/b@1") });
  const text = fc.tuple(start, fc.string({ unit: "binary" })).map((parts) => parts.join("").trim());
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
      expect(readBack(texts)).toEqual(texts);
    }),
    { numRuns: 500 },
  );
});
