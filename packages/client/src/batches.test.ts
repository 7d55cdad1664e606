import fc from "fast-check";
import { expect, test } from "vitest";
import { batchesOf } from "./batches.ts";

const sizes = (items: readonly unknown[], maxItems: number, maxBytes: number) =>
  batchesOf(items, maxItems, maxBytes).map(({ offset, items }) => [offset, items.length]);

test.each<[string, readonly unknown[], number[][]]>([
  ["nothing", [], []],
  ["a full one", [1, 2, 3], [[0, 3]]],
  [
    "one too many",
    [1, 2, 3, 4],
    [
      [0, 3],
      [3, 1],
    ],
  ],
  [
    "too many bytes",
    ["a".repeat(10), "b".repeat(10), "c"],
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [
    "characters of several bytes",
    ["\u{1f600}\u{1f600}\u{1f600}", "\u{1f600}"],
    [
      [0, 1],
      [1, 1],
    ],
  ],
  [
    "one that is too large by itself",
    [1, "a".repeat(100), 2],
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
  ],
])("%s", (_, items, expected) => {
  expect(sizes(items, 3, 32)).toEqual(expected);
});

test("every batch fits, none is lost, and the order stays", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 40 })), (items) => {
      const batches = batchesOf(items, 5, 300);
      expect(batches.flatMap((batch) => batch.items)).toEqual(items);
      for (const { offset, items: part } of batches) {
        expect(part[0]).toBe(items[offset]);
        expect(part.length).toBeLessThanOrEqual(5);
        expect(new TextEncoder().encode(JSON.stringify({ scores: part })).byteLength).toBeLessThanOrEqual(300);
      }
    }),
  );
});
