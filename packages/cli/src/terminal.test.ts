import { expect, test } from "vitest";
import { printable, printableJson } from "./terminal.ts";

test.each<[string, string, string]>([
  ["plain text", "caf\u00e9 \u{1f600} \u05e9\u05dc\u05d5\u05dd", "caf\u00e9 \u{1f600} \u05e9\u05dc\u05d5\u05dd"],
  ["what clears the screen", "a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["the same in one character", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["a title of the window", "\u001b]0;owned\u0007", "\\u{1b}]0;owned\\u{7}"],
  ["line feeds, returns and tabs", "a\r\nb\tc", "a\\u{d}\\u{a}b\\u{9}c"],
  ["what turns the reading direction", "a\u202eb", "a\\u{202e}b"],
  ["half a character", "a\ud800b", "a\\u{d800}b"],
  ["a command to GitHub", "::add-mask::x", ": :add-mask::x"],
  ["the same behind blanks", "  ::error::x", "  : :error::x"],
  ["a command to Azure", "a ##vso[task.setvariable variable=x]y", "a # #vso[task.setvariable variable=x]y"],
  ["a command to GitHub of old", "##[error]x", "# #[error]x"],
  ["colons and hashes elsewhere", "std::string ## heading", "std::string ## heading"],
])("%s", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("JSON stays the same value, and is as safe to show", () => {
  const value = {
    app: "\u001b\u0085\u009b\u007f\u202e",
    text: "##vso[task.setvariable]x",
    plain: "caf\u00e9 \u{1f600}",
  };
  const json = printableJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[\p{Cc}--\n]|##|\u202e/v);
  expect(json).toContain("caf\u00e9 \u{1f600}");
});
