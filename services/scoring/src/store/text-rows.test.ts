import fc from "fast-check";
import { expect, test } from "vitest";
import { readNumbers, readRows } from "./text-rows.ts";

const row = fc.tuple(
  fc.nat(),
  fc.nat({ max: 10_000 }).map((hundredths) => (hundredths / 100).toFixed(2)),
  fc.integer({ min: 0, max: 2 ** 48 }),
  fc.string({ unit: fc.constantFrom("a", "ß", "→", "🙂", " ", "0", ".") }),
);

/** The bytes of a text in pieces that end anywhere, also within a character. */
async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0, part = 0; start < bytes.length; part++) {
    const end = start + (sizes[part % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

test("rows of numbers are what their texts say, wherever a piece ends", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(row), sizes, fc.boolean(), async (rows, sizes, isText) => {
      const text = rows.map((cells) => `${cells.join("\t")}\n`).join("");
      const pieces = () => (isText ? fromText(text) : cut(text, sizes));
      const found: unknown[] = [];
      const take = (numbers: readonly number[], last: string) => found.push([...numbers, last]);
      await readNumbers(pieces(), 3, take, () => undefined);
      const expected: unknown[] = [];
      for await (const all of readRows(pieces())) {
        for (const [one, two, three, last] of all) expected.push([Number(one), Number(two), Number(three), last]);
      }
      expect(found).toEqual(expected);
      expect(found).toHaveLength(rows.length);
    }),
  );
});

async function* fromText(text: string): AsyncGenerator<string> {
  yield text;
}
