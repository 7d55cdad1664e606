import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { isSlow } from "../test/support/slow-pattern.ts";

/** Patterns that take quadratic time for some text, each with the reason why no stranger's text can make it slow. */
const excepted: Readonly<Record<string, string>> = {
  "/\\.+$/": "of what the author of a scorecard wrote, in his own tests",
  "/\\/+$/": "of an address from the caller's own settings",
  "/(?:\\.git)?\\/*$/": "of the address of the repository, which the CI sets",
  "/(\\d+)(ms|[smhdw])/g": "of a duration that an anchored pattern has found to be one, with nine digits at the most",
  '/"(?:[^"\\\\]|\\\\.?)*(?:"|$)/g': "that always fits where it begins, if only with the rest of the text",
  "/\\{[^}\\n]*:\\s*\\$\\{/": "of one line of the caller's own settings",
  "/-+$/": "of the name of a scorecard, in the author's own command",
  "/^[^a-z]+|_+$/g": "of the name that the author of a scorecard gives it, without two underscores in a row",
};

/** Where patterns are put together while the program runs, so that nothing can be said of them here. */
const made: Readonly<Record<string, string>> = {
  "services/scoring/src/model/fields.ts": "anchored, one repetition of one class, bounded",
  "services/scoring/src/auth/claim-rules.ts": "anchored, of rules that the operator wrote",
  "packages/reports/src/json.ts": "of constants: one class, then one character",
  "packages/core/src/names.ts": "anchored, one repetition of one class, bounded",
};

const root = fileURLToPath(new URL("../../..", import.meta.url));

const sources = globSync("{packages,services}/*/src/**/*.ts", { cwd: root }).filter(
  (path) => !/\.(?:test|cases|generated)\.ts$/.test(path),
);

interface Pattern {
  readonly path: string;
  readonly text: string;
  /** Absent where the pattern is put together while the program runs. */
  readonly regExp?: RegExp;
}

function patternsOf(path: string): Pattern[] {
  const file = ts.createSourceFile(path, readFileSync(`${root}/${path}`, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ path, text: node.text, regExp: regExpOf(node.text) });
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && ts.isIdentifier(node.expression) && node.expression.text === "RegExp") {
      found.push({ path, text: node.getText(file) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function regExpOf(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

test.each([
  ["that begins anywhere and needs an end", /\s+$/, true],
  ["with a repetition of a repetition", /^(?:a+)+$/, true],
  ["with one repetition beside another", /^\s*\w*\w*!/, true],
  ["that begins with a text and needs an end", /<!--[\s\S]*?-->/, true],
  ["that begins in any line and needs an end", /^a[^z]*z/m, true],
  ["that begins with a word and needs an end", /\bfoo(?:.*bar)/, true],
  ["that needs no end", /<!--[\s\S]*/, false],
  ["that begins with what it does not repeat", /\$\{(?:\w+)\}/, false],
  ["that takes each character once", /^\s*mode: (?:set|count|atomic)\s/, false],
])("a pattern %s is recognized", (_, regExp, slow) => {
  expect(isSlow(regExp)).toBe(slow);
});

test("no pattern in the sources takes more than linear time, but for those named above", () => {
  const all = sources.flatMap(patternsOf);
  expect(all.length).toBeGreaterThan(100);
  const slow = all.filter(({ regExp }) => regExp && isSlow(regExp)).map(({ text }) => text);
  expect(new Set(slow)).toEqual(new Set(Object.keys(excepted)));
  const unseen = all.filter(({ regExp }) => !regExp).map(({ path }) => path);
  expect(new Set(unseen)).toEqual(new Set(Object.keys(made)));
});
