import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { printable, printableJson, shellWord } from "./terminal.ts";

test.each<[string, string, string]>([
  ["plain text", "caf\u00e9 \u{1f600} \u05e9\u05dc\u05d5\u05dd", "caf\u00e9 \u{1f600} \u05e9\u05dc\u05d5\u05dd"],
  ["what clears the screen", "a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["the same in one character", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["a title of the window", "\u001b]0;owned\u0007", "\\u{1b}]0;owned\\u{7}"],
  ["line feeds, returns and tabs", "a\r\nb\tc", "a\\u{d}\\u{a}b\\u{9}c"],
  ["what turns the reading direction", "a\u202eb", "a\\u{202e}b"],
  ["half a character", "a\ud800b", "a\\u{d800}b"],
  ["a byte of a name that is no UTF-8", "a\udcffb", "a\\xffb"],
  ["what is not seen", "a\u200bb\u00adc\ufe0fd\u2800", "a\\u{200b}b\\u{ad}c\\u{fe0f}d\\u{2800}"],
  ["a text that is hidden in tags", "a\u{e0041}b", "a\\u{e0041}b"],
  ["what is no character", "a\ue000b\u0378c", "a\\u{e000}b\\u{378}c"],
  [
    "emoji of several characters",
    "\u26a0\ufe0f \u{1f469}\u200d\u{1f467} 1\ufe0f\u20e3",
    "\u26a0\ufe0f \u{1f469}\u200d\u{1f467} 1\ufe0f\u20e3",
  ],
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
    app: "\u001b\u0085\u009b\u007f\u202e\u200b\u{e0041}\udcff",
    text: "##vso[task.setvariable]x",
    plain: "caf\u00e9 \u{1f600}",
  };
  const json = printableJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[\p{C}--\n]|##/v);
  expect(json).toContain("caf\u00e9 \u{1f600}");
});

describe("a word for a shell", () => {
  test.each<[string, string, string]>([
    ["a path", "d/a-1.json=x,y", "d/a-1.json=x,y"],
    ["nothing", "", "''"],
    ["what a shell expands", "a b$(touch x)`*?'c", "'a b$(touch x)`*?'\\''c'"],
    ["what zsh expands", "=ls", "'=ls'"],
    ["what turns the reading direction", "d/\u202ea'\\.json", "$'d/\\342\\200\\256a\\'\\\\.json'"],
    ["control characters", "a\nb\u001b[2J", "$'a\\012b\\033[2J'"],
    ["bytes that are no UTF-8", "a\udcff1", "$'a\\3771'"],
    ["a command to Azure", "##vso[x]", "$'\\043#vso[x]'"],
  ])("%s", (_, word, shown) => {
    expect(shellWord(word)).toBe(shown);
    expect(printable(shown)).toBe(shown);
  });

  test("is the same word to bash", () => {
    const words = ["a b'c\\d", "\u202e\u200b##vso[x]\n'\\", "\u{1f469}\u200d\u{1f467} \u001b1", "caf\u00e9\u00ad0"];
    const script = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
    const read = execFileSync("bash", ["-c", script], { env: { LC_ALL: "C" } }).toString();
    expect(read.split("\0").slice(0, -1)).toEqual(words);
  });
});
