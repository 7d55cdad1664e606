import { expect, test } from "vitest";
import type { Bar, Equivalent } from "./parts.ts";
import { judge, lowered, type Met } from "./verdict.ts";

/** Mutants of two files: of the first three are killed of four, of the second one of two. */
const mutants: readonly Met[] = [
  ...[true, true, true, false].map((isKilled, line) => met("a/one.ts", line, isKilled)),
  ...[true, false].map((isKilled, line) => met("a/two.ts", line, isKilled)),
];

function met(file: string, line: number, isKilled: boolean): Met {
  return { file, line, code: `x${line}`, becomes: "y", isKilled };
}

const named = (file: string, line: number): Equivalent => ({ file, code: `x${line}`, becomes: "y", because: "so" });

test.each<[string, readonly Bar[], readonly Equivalent[], boolean, string]>([
  ["a bar that is just met", [{ least: 75, files: ["a/one.ts"] }], [], true, "met: a/one.ts: 75.0 % of 4 killed"],
  ["a bar that is missed", [{ least: 67 }], [], false, "MISSED: all: 66.7 % of 6 killed, at least 67 %"],
  ["one of two bars that is missed", [{ least: 60 }, { least: 60, files: ["**/two.ts"] }], [], false, "MISSED: **/two"],
  ["an equivalent", [{ least: 80 }], [named("a/two.ts", 1)], true, "met: all: 80.0 % of 5 killed"],
  ["an equivalent that was killed", [{ least: 60 }], [named("a/two.ts", 0)], false, "a/two.ts: named as equivalent"],
  ["an equivalent that is gone", [{ least: 60 }], [named("a/two.ts", 9)], false, "no survivor: x9 → y"],
  ["an equivalent of what was not mutated", [{ least: 60 }], [named("b/two.ts", 0)], true, "met: all: 66.7 %"],
  ["a survivor", [{ least: 60 }], [], true, "a/one.ts:3 survived: x3 → y"],
  ["no bar for what was mutated", [{ least: 60, files: ["b/*.ts"] }], [], false, "a/two.ts:1 survived: x1 → y"],
])("%s", (_, bars, equivalents, isMet, line) => {
  const verdict = judge(mutants, bars, equivalents);
  expect(verdict.isMet).toBe(isMet);
  expect(verdict.lines.join("\n")).toContain(line);
});

test("nothing mutated meets no bar", () => {
  expect(judge([], [{ least: 0 }], [])).toEqual({ lines: [], isMet: false });
});

const main: readonly Bar[] = [{ least: 95 }, { least: 90, files: ["a/one.ts"] }];

test.each<[string, readonly Bar[] | undefined, readonly string[]]>([
  ["the same bars", main, []],
  ["a bar that rises, and a new one", [{ least: 96 }, ...main.slice(1), { least: 1, files: ["a/two.ts"] }], []],
  ["a bar that falls", [{ least: 94 }, ...main.slice(1)], ["core, all: asks for 94 %, where main asks for 95 %"]],
  ["a bar that is gone", main.slice(0, 1), ["core, a/one.ts: has no bar, where main asks for 90 %"]],
  [
    "a part that is gone",
    undefined,
    ["core, all: has no bar, where main asks for 95 %", "core, a/one.ts: has no bar, where main asks for 90 %"],
  ],
])("lowered: %s", (_, bars, expected) => {
  const part = (bars: readonly Bar[]) => ({ mutate: [], tests: [], bars });
  expect(lowered({ core: part(main) }, bars ? { core: part(bars) } : {})).toEqual(expected);
});
