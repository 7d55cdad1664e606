import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cut } from "../../test/support/cut.ts";
import { readRows } from "./text-rows.ts";

const cell = fc.string({ unit: fc.constantFrom("a", "ß", "→", "🙂", " ", "0", ".") });
const rows = fc.array(fc.tuple(cell, cell, cell));

test("rows are what was written, wherever a piece ends", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, sizes, async (rows, sizes) => {
      const text = rows.map((cells) => `${cells.join("\t")}\n`).join("");
      const found: string[][] = [];
      for await (const some of readRows(Readable.from(cut(Buffer.from(text), sizes)))) found.push(...some);
      expect(found).toEqual(rows);
    }),
  );
});
