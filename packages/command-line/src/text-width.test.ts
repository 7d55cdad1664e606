import { expect, test } from "vitest";
import { cutTo, endOf, padded, wrapped } from "./text-width.ts";

test.each([
  ["cart", 4, "cart"],
  ["carts", 4, "car\u2026"],
  ["\u4f1a\u8b70\u30a2", 6, "\u4f1a\u8b70\u30a2"],
  ["\u4f1a\u8b70\u30a2", 5, "\u4f1a\u8b70\u2026"],
  ["\u4f1a\u8b70\u30a2", 4, "\u4f1a\u2026"],
])("%s in %i columns", (text, width, cut) => {
  expect(cutTo(text, width)).toBe(cut);
});

test.each<[number | undefined, string[]]>([
  [undefined, ["  one two three"]],
  [80, ["  one two three"]],
  [10, ["  one two", "  three"]],
  [4, ["  one", "  two", "  three"]],
])("a text in %s columns", (width, lines) => {
  expect(wrapped("one two three", "  ", { width })).toEqual(lines);
});

test.each([
  ["a/b.json", 8, "a/b.json"],
  ["a/b/c.json", 8, "…/c.json"],
  ["\u4f1a\u8b70\u30a2.xml", 8, "…\u30a2.xml"],
])("the end of %s in %i columns", (text, width, end) => {
  expect(endOf(text, width)).toBe(end);
});

test("a wide text gets fewer blanks", () => {
  expect(padded("\u4f1a", 4)).toBe("\u4f1a  ");
});
