import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvOf } from "./csv.ts";
import { folded, matching, ordered, rowsInSight, searchable } from "./rows.ts";

describe("ordered", () => {
  const rows = [{ score: 3 }, {}, { score: 1 }, { score: 10 }] as { score?: number }[];

  test("goes up or down, and what has nothing comes last either way", () => {
    expect(ordered(rows, ({ score }) => score, false)).toEqual([{ score: 1 }, { score: 3 }, { score: 10 }, {}]);
    expect(ordered(rows, ({ score }) => score, true)).toEqual([{ score: 10 }, { score: 3 }, { score: 1 }, {}]);
  });

  test("takes the numbers in names for numbers", () => {
    expect(ordered(["app-10", "app-9", "App-1"], (name) => name, false)).toEqual(["App-1", "app-9", "app-10"]);
  });
});

describe("matching", () => {
  const rows = ["Cart API", "cart worker", "orders", "cafe\u0301"];
  const find = (query: string) => matching(rows, searchable(rows.map(folded)), query);

  test.each([
    { query: "", found: rows },
    { query: "cart", found: ["Cart API", "cart worker"] },
    { query: " api  CART ", found: ["Cart API"] },
    { query: "caf\u00e9", found: ["cafe\u0301"] },
    { query: "(", found: [] },
    { query: "r", found: ["Cart API", "cart worker", "orders"] },
    { query: "er", found: ["cart worker", "orders"] },
  ])("$query finds $found", ({ query, found }) => {
    expect(find(query)).toEqual(found);
  });

  test("finds the rows whose own text has every word, whatever stands around them", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "é"), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text), fc.array(text, { maxLength: 3 }), (texts, words) => {
        const rows = texts.map((text, index) => ({ text, index }));
        const wanted = words.join(" ").split(/\s+/).filter(Boolean);
        const expected = rows.filter(({ text }) => wanted.every((word) => text.includes(word)));
        expect(matching(rows, searchable(texts), words.join(" "))).toEqual(expected);
      }),
    );
  });
});

describe("rowsInSight", () => {
  test.each([
    { name: "the top", top: 300, rows: 20_000 },
    { name: "the middle", top: -400_000, rows: 20_000 },
    { name: "the end", top: -759_000, rows: 20_000 },
    { name: "beyond the end, as while a list gets shorter", top: -2_000_000, rows: 20_000 },
    { name: "a short list", top: 0, rows: 3 },
  ])("has at $name every row that can be seen, and few more", ({ top, rows }) => {
    const { from, to } = rowsInSight(rows, 38, top, 900);
    const inside = (row: number) => Math.min(Math.max(row, 0), rows);
    expect(from).toBeLessThanOrEqual(inside(Math.floor(-top / 38)));
    expect(to).toBeGreaterThanOrEqual(inside(Math.ceil((900 - top) / 38)));
    expect(to - from).toBeLessThan(80);
  });
});

test("CSV quotes what has to be, and disarms what a spreadsheet would run", () => {
  const rows = [
    ["name", "score"],
    ['a "b", c', 1.5],
    ["=1+1", undefined],
    ["-12.50", "@A1/HYPERLINK(1)"],
    ["\uff1d1+1", " =1"],
    ["@maturity/security@1.0.0", "two\nlines"],
  ];
  const lines = [
    "name,score",
    '"a ""b"", c",1.5',
    "'=1+1,",
    "-12.50,'@A1/HYPERLINK(1)",
    "'\uff1d1+1,' =1",
    '@maturity/security@1.0.0,"two\nlines"',
    "",
  ];
  expect(csvOf(rows)).toBe(lines.join("\r\n"));
});
