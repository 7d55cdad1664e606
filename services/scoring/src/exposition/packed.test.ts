import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { open, pack } from "./packed.ts";

const lines = Array.from({ length: 50_000 }, (_, index) => `maturity_score{app="é ${index}"} ${index % 101}\n`);

async function* pieces(): AsyncGenerator<string | Uint8Array> {
  for (let first = 0; first < lines.length; first += 1_000) {
    const piece = lines.slice(first, first + 1_000).join("");
    yield first % 2_000 === 0 ? piece : Buffer.from(piece);
  }
}

test("a text is kept compressed, and comes out again as often as it is opened, packed or not", async () => {
  const growth: number[] = [];
  const packed = await pack(pieces(), (bytes) => growth.push(bytes));
  expect(packed.length).toBe(Buffer.byteLength(lines.join("")));
  expect(packed.packedLength).toBe(growth.reduce((sum, bytes) => sum + bytes, 0));
  for (const _ of [1, 2]) {
    const asKept = await buffer(open(packed, true));
    expect(asKept).toHaveLength(packed.packedLength);
    expect(gunzipSync(asKept).toString()).toBe(lines.join(""));
    expect(await text(open(packed, false))).toBe(lines.join(""));
  }
});

test("what goes wrong with the text, or with keeping it, ends the packing and the text", async () => {
  let ended = false;
  async function* failing() {
    try {
      yield* pieces();
      throw new Error("the database is gone");
    } finally {
      ended = true;
    }
  }
  await expect(pack(failing(), () => {})).rejects.toThrow("the database is gone");
  ended = false;
  const full = () => {
    throw new Error("no room");
  };
  await expect(pack(failing(), full)).rejects.toThrow("no room");
  expect(ended).toBe(true);
});

test("a reader who goes away in the middle ends what unpacks for him", async () => {
  const packed = await pack(pieces(), () => {});
  const reader = open(packed, false);
  for await (const _ of reader) break;
  expect(reader.destroyed).toBe(true);
  expect(await text(open(packed, false))).toBe(lines.join(""));
});
