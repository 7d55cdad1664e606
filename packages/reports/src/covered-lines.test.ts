import fc from "fast-check";
import { expect, test } from "vitest";
import { CoveredLines } from "./covered-lines.ts";

const line = fc.oneof(fc.nat(100), fc.nat(Number.MAX_SAFE_INTEGER));
const entryOf = (...files: string[]) => fc.record({ file: fc.constantFrom(...files), line, covered: fc.boolean() });
const entry = entryOf("/a.c", "C:\\b.c");

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

test("a relative name is one file where its lines are the same, in whichever order reports are merged", () => {
  const few = fc.record({ file: fc.constantFrom("a.c", "b.c", "/c.c"), line: fc.nat(2), covered: fc.boolean() });
  const report = fc.array(fc.oneof(few, entryOf("a.c")), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(report, { minLength: 1, maxLength: 5 }), fc.nat(4), (reports, cut) => {
      const files = new Map<string, Map<number, boolean>>();
      for (const entries of reports) {
        for (const [file, same] of Map.groupBy(entries, (entry) => entry.file)) {
          const lines = [...new Set(same.map((entry) => entry.line))].sort();
          const key = file.startsWith("/") ? file : `${file}: ${lines}`;
          const known = files.get(key) ?? new Map<number, boolean>();
          for (const { line, covered } of same) known.set(line, covered || known.get(line) === true);
          files.set(key, known);
        }
      }
      const all = [...files.values()].flatMap((lines) => [...lines.values()]);
      const count = { covered: all.filter(Boolean).length, total: all.length };
      const one = mergedOf(reports.map(linesOf));
      const parts = [reports.slice(cut).reverse(), reports.slice(0, cut)].map((part) => mergedOf(part.map(linesOf)));
      expect([one.count(), mergedOf(parts).count()]).toEqual([count, count]);
    }),
  );
});

function mergedOf(reports: readonly CoveredLines[]): CoveredLines {
  const merged = new CoveredLines();
  for (const report of reports) merged.addAll(report);
  return merged;
}

function linesOf(entries: readonly { file: string; line: number; covered: boolean }[]): CoveredLines {
  const lines = new CoveredLines();
  for (const { file, line, covered } of entries) lines.of(file).add(line, covered);
  return lines;
}
