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

function linesOf(entries: readonly { file: string; line: number; covered: boolean }[]): CoveredLines {
  const lines = new CoveredLines();
  for (const { file, line, covered } of entries) lines.of(file).add(line, covered);
  return lines;
}
