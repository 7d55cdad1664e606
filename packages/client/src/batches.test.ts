import { valuesIn } from "@maturity/core/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchesOf } from "./batches.ts";

const sizes = (items: readonly unknown[], maxItems: number, maxBytes: number, maxValues: number) =>
  batchesOf(items, maxItems, maxBytes, maxValues).map(({ offset, items }) => [offset, items.length]);

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
    "too many values",
    [[1, 2, 3], { a: ",[" }, 4],
    [
      [0, 1],
      [1, 2],
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
  expect(sizes(items, 3, 32, 6)).toEqual(expected);
});

const item = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.array(fc.integer(), { maxLength: 12 }));

test("every batch fits, none is lost, and the order stays", () => {
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const batches = batchesOf(items, 5, 300, 30);
      expect(batches.flatMap((batch) => batch.items)).toEqual(items);
      for (const { offset, items: part } of batches) {
        expect(part[0]).toBe(items[offset]);
        expect(part.length).toBeLessThanOrEqual(5);
        const json = JSON.stringify({ scores: part });
        expect(new TextEncoder().encode(json).byteLength).toBeLessThanOrEqual(300);
        expect(valuesIn(json)).toBeLessThanOrEqual(30);
      }
    }),
  );
});
