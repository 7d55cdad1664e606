import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { tableLines } from "./table.ts";
import { widthOf } from "./text-width.ts";

const colors = picocolors.createColors(false);

interface Row {
  readonly name: string;
  readonly score: string;
}

const columns = [
  { title: "name", text: ({ name }: Row) => name },
  { title: "score", text: ({ score }: Row) => score, isNumber: true },
  { title: "note", text: ({ name }: Row) => `note on ${name}` },
];

const rows: readonly Row[] = [
  { name: "cart", score: "63.2" },
  { name: "a long name of an application", score: "100.0" },
  { name: "\u4f1a\u8b70\u30a2\u30d7\u30ea\u30b1\u30fc\u30b7\u30e7\u30f3", score: "0.0" },
  { name: "\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}", score: "0.0" },
  { name: "cafe\u0301", score: "0.0" },
];

describe("a table", () => {
  test("is as wide as its texts where there is no terminal", () => {
    expect(tableLines(columns, rows.slice(0, 2), { colors, width: undefined })).toEqual([
      "NAME                           SCORE  NOTE",
      "cart                            63.2  note on cart",
      "a long name of an application  100.0  note on a long name of an application",
    ]);
  });

  test.each([30, 40, 60, 80, 120])("fits a terminal of %i columns", (width) => {
    const lines = tableLines(columns, rows, { colors, width });
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    const [, ...ends] = lines.map((line) => /^(.*?) +[\d.]+ {2}/.exec(line)?.[0] ?? "");
    expect(new Set(ends.map(widthOf)).size).toBe(1); // every note begins in the same column
  });

  test("cuts the widest text first, and no number", () => {
    expect(tableLines(columns, rows.slice(0, 2), { colors, width: 36 })).toEqual([
      "NAME           SCORE  NOTE",
      "cart            63.2  note on cart",
      "a long name \u2026  100.0  note on a lon\u2026",
    ]);
  });

  test("leaves out an optional column that has no text", () => {
    const note = { title: "note", text: ({ score }: Row) => (score === "63.2" ? "falling" : ""), isOptional: true };
    const named = [columns[0] as (typeof columns)[number], note];
    expect(tableLines(named, rows.slice(0, 1), { colors, width: undefined })).toEqual(["NAME  NOTE", "cart  falling"]);
    expect(tableLines(named, rows.slice(4), { colors, width: undefined })).toEqual(["NAME", "cafe\u0301"]);
  });

  test("shows no character that could move the cursor", () => {
    const [, line] = tableLines(columns, [{ name: "\u001b[2J\u202e", score: "\r1" }], { colors, width: undefined });
    expect(line).toBe("\\u{1b}[2J\\u{202e}  \\u{d}1  note on \\u{1b}[2J\\u{202e}");
  });

  test("of a terminal without room keeps a few letters of each text", () => {
    expect(tableLines(columns, rows.slice(0, 1), { colors, width: 5 })).toEqual([
      "NAME  SCORE  NOTE",
      "cart   63.2  not\u2026",
    ]);
  });
});
