import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRow } from "./csv.ts";

/** The text of the only cell of a line, as a spreadsheet reads it. */
function cellOf(text: string): string {
  const line = csvRow({ cell: (value: string) => value }, text).slice(0, -2);
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
}

const hostile = [
  "=1+1",
  "+1",
  "-1",
  "@SUM/1+1",
  "@cmd/../x",
  "@a/b@1.0.0+x|y",
  "\uff1d1+1",
  "\uff0b1",
  "\uff0d1",
  "\uff20SUM(1)",
];

test.each([...hostile, "\t=1", "\r=1", "\n=1", " =1", "@maturity/security", "@SUM/A@1*2", "'=1", "''=1"])(
  "%j is made a text",
  (text) => {
    expect(cellOf(text)).toBe(`'${text}`);
  },
);

test.each(["@maturity/security@1.0.0", "@acme/cost@0.2.0-rc.1+5f3a", "a=b", "1", "shop", "'", "'a"])(
  "%j stays as it is",
  (text) => {
    expect(cellOf(text)).toBe(text);
  },
);

test.each([
  [0, "0"],
  [63, "63"],
  [-30, "-30"],
  [52.4425, "52.44"],
  [54.862500000000004, "54.86"],
  [-0.001, "0.00"],
  [-1.5, "-1.50"],
  [1e21, "1e+21"],
])("%j is written as %s", (value, written) => {
  expect(csvRow({ cell: () => value }, {})).toBe(`${written}\r\n`);
});

test("no cell of any text begins a formula, and each holds the whole text", () => {
  const sign = fc.constantFrom(
    "=",
    "+",
    "-",
    "@",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
    "\t",
    "\r",
    "\n",
    " ",
    '"',
    ",",
  );
  const text = fc.tuple(
    fc.array(sign, { maxLength: 3 }),
    fc.oneof(fc.string({ unit: "binary" }), fc.webPath(), fc.constantFrom(...hostile)),
  );
  fc.assert(
    fc.property(text, ([signs, rest]) => {
      const written = signs.join("") + rest;
      const cell = cellOf(written);
      expect([written, `'${written}`]).toContain(cell);
      if (!/^@[a-z][\w.-]*\/[a-z][\w.-]*@\d[\w.+-]*$/.test(cell))
        expect(cell).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
    }),
    { numRuns: 2_000 },
  );
});
