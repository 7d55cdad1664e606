import fc from "fast-check";
import { expect, test } from "vitest";
import { CoveredLines } from "./covered-lines.ts";

const line = fc.oneof(fc.nat(100), fc.nat(Number.MAX_SAFE_INTEGER));
const entry = fc.record({ file: fc.constantFrom("a.c", "b.c"), line, covered: fc.boolean() });

test("lines in any order count as in a plain map, each once, covered by any", () => {
  fc.assert(
    fc.property(fc.array(entry, { size: "large" }), fc.array(entry), (first, second) => {
      const lines = linesOf(first);
      lines.addAll(linesOf(second));
      const plain = new Map<string, boolean>();
      for (const { file, line, covered } of [...first, ...second]) {
        const key = `${file}:${line}`;
        plain.set(key, covered || plain.get(key) === true);
      }
      const covered = [...plain.values()].filter(Boolean).length;
      expect(lines.count()).toEqual({ covered, total: plain.size });
    }),
  );
});

test("a line that is left out counts only if it is covered", () => {
  const lines = linesOf([
    { file: "a.rb", line: 1, covered: false },
    { file: "a.rb", line: 2, covered: false },
    { file: "a.rb", line: 40, covered: true },
  ]);
  const others = new CoveredLines();
  for (const line of [1, 40, 41]) others.of("a.rb").leaveOut(line);
  lines.addAll(others);
  expect(lines.count()).toEqual({ covered: 1, total: 2 });
});

function linesOf(entries: readonly { file: string; line: number; covered: boolean }[]): CoveredLines {
  const lines = new CoveredLines();
  for (const { file, line, covered } of entries) lines.of(file).add(line, covered);
  return lines;
}
