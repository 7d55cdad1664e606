import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { limitFields, readObject, unstorable } from "./body.ts";

/** Lists around a value, so many. */
function nested(levels: number, value: unknown = 1): unknown {
  let all = value;
  for (let level = 0; level < levels; level++) all = [all];
  return all;
}

const storable: Readonly<Record<string, unknown>> = {
  "a text": "caf\u00e9 \u{1f600}\n\t\u0001",
  "a number": 1e308,
  "minus zero": -0,
  "a flag": false,
  null: null,
  "an empty object": {},
  "31 lists around a value": nested(31),
  "an object with odd keys": { "": 1, "a.b": 2, "\u0001": 3, constructor: 4 },
};

test.each(Object.entries(storable))("%s can be stored", (_, value) => {
  expect(unstorable({ value }, "raw")).toBeUndefined();
});

const unstorables: Readonly<Record<string, { value: unknown; path: string; says: RegExp }>> = {
  NUL: { value: "a\0", path: "raw.value", says: /NUL/ },
  "a high surrogate alone": { value: "\ud83d", path: "raw.value", says: /surrogate/ },
  "a low surrogate alone": { value: ["ok", "\ude00"], path: "raw.value[1]", says: /surrogate/ },
  "NUL in a key": { value: { "\0": 1 }, path: "raw.value", says: /keys/ },
  "a surrogate in a key": { value: [{ "\ud800": 1 }], path: "raw.value[0]", says: /keys/ },
  "a number beyond all doubles": {
    value: { n: [Number.POSITIVE_INFINITY] },
    path: "raw.value.n[0]",
    says: /too large/,
  },
  "32 lists around a value": { value: nested(32), path: `raw.value${"[0]".repeat(31)}`, says: /32 levels/ },
  "a million lists": { value: nested(1_000_000), path: `raw.value${"[0]".repeat(31)}`, says: /32 levels/ },
};

test.each(Object.entries(unstorables))("%s cannot be stored, and it says where", (_, { value, path, says }) => {
  expect(unstorable({ value }, "raw")).toEqual({ path, message: expect.stringMatching(says) });
});

describe("a body", () => {
  const read = (...chunks: (string | Buffer)[]) => readObject(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

  test("is read as UTF-8 JSON, a byte order mark allowed, wherever it was cut", async () => {
    const bytes = Buffer.from('\ufeff {"a":"\u00e9","a":"\u{1f600}"}\n');
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual({ a: "\u{1f600}" });
    }
  });

  test("that holds nothing is called empty", async () => {
    await expect(read()).rejects.toThrow("the body is empty");
    await expect(read(" \n")).rejects.toThrow("the body is empty");
  });

  test("over 1 MiB is refused before it is all there", async () => {
    let sent = 0;
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, 32));
        sent += 65_536;
      },
    });
    await expect(readObject(endless)).rejects.toMatchObject({ code: "payload-too-large" });
    expect(sent).toBeLessThan(2 * 1_048_576);
  });

  test("that breaks off is refused", async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("{");
        throw new Error("aborted");
      })(),
    );
    await expect(readObject(broken)).rejects.toMatchObject({ code: "invalid-payload" });
  });

  test("may have 100 fields, not more", () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]));
    expect(() => limitFields(fields(100), "")).not.toThrow();
    expect(() => limitFields(fields(101), "details[2]")).toThrow("details[2] has more than 100 fields");
  });
});
