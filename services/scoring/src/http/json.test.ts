import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseObject } from "./json.ts";

/** What JSON.parse makes of the text, or that it is none. */
function expected(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return "no JSON";
  }
}

const found = (text: string) => parseObject(text).catch(() => "no JSON");

/** The same text as a short one, which is parsed as it is, and as a long one, which is cut. */
const lengths = (text: string) => [text, text + " ".repeat(2_000)];

/** After a key with a backslash V8 may read another one wrongly: https://github.com/nodejs/node/issues/63785. */
const field = fc.string({ unit: "grapheme" }).filter((name) => name !== "__proto__" && !name.includes("\\"));
const value = fc.jsonValue({ maxDepth: 4 }).filter((value) => !/__proto__|\\\\/.test(JSON.stringify(value)));
const bodies = fc.dictionary(field, fc.oneof(value, fc.array(value)), { maxKeys: 10 });

test("any object is what JSON.parse makes of it, however it is written", async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(undefined, 1, "\t", "\r\n "), async (body, space) => {
      const text = JSON.stringify(body, undefined, space);
      for (const sent of lengths(text)) expect(await parseObject(sent)).toEqual(JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

test("what JSON.parse refuses is refused, wherever a character is missing, too many or another", async () => {
  const marks = fc.constantFrom(...'[]{},:"\\ 0a\u0000', "[]", "[,]", '""', "1 2", "null");
  await fc.assert(
    fc.asyncProperty(bodies, fc.nat(), fc.nat({ max: 3 }), marks, async (body, seed, less, mark) => {
      const good = JSON.stringify(body);
      const at = seed % good.length;
      const text = good.slice(0, at) + mark + good.slice(at + less);
      const wanted = expected(text);
      const isObject = typeof wanted === "object" && wanted !== null && !Array.isArray(wanted);
      for (const sent of lengths(text)) expect(await found(sent)).toEqual(isObject ? wanted : "no JSON");
    }),
    { numRuns: 1_000 },
  );
});

const texts: Readonly<Record<string, string>> = {
  "an empty list": '{"a":[ \n]}',
  "a list in a list": '{"a":[[1,[2]],[]]}',
  "brackets, commas and quotes in texts": String.raw`{"a":["],[\"","{\\",",\\\""],"[b":"\\"}`,
  "a field that stands twice, both times a list": '{"a":[1,2],"a":[3]}',
  "a field that stands twice, once a list": '{"a":[1,2],"a":3}',
  "numbers beside the entries": '{"a":[0,"x",1],"b":0,"c":{"d":[5,4]}}',
  "fields of every object": '{"constructor":[1],"toString":[2],"0":[3]}',
  "a list without a bracket": '{"a":[1}',
  "a list that ends as an object": '{"a":[{"b":1],"c":2}}',
  "an entry that is missing": '{"a":[1,,2]}',
  "a comma behind the last entry": '{"a":[1,]}',
  "a comma alone": '{"a":[,]}',
  "two values as one entry": '{"a":[1 2]}',
  "a wrong entry of a field that stands again": '{"a":[x],"a":[3]}',
  "an open text": '{"a":["',
  "an open text that ends with a backslash": '{"a":["\\',
  "a list that is open": '{"a":[1,2',
  "something behind it": '{"a":[1]}]',
  "lists outside of an object": '[[1,2],{"a":[3]}]',
  "a list behind the object": '{"a":1},[[1]]',
};

test.each(Object.entries(texts))("%s", async (_, text) => {
  const wanted = expected(text);
  for (const sent of lengths(text)) expect(await found(sent)).toEqual(Array.isArray(wanted) ? "no JSON" : wanted);
});

test.each(['{"__proto__":[1]}', '{"a":[1,{"__proto__":1}]}', '{"a":[1],"b":{"\\u005f_proto__":1}}'])(
  "a __proto__ is refused: %s",
  async (text) => {
    for (const sent of lengths(text)) {
      await expect(parseObject(sent)).rejects.toMatchObject({ code: "invalid-payload", details: [{ path: "" }] });
    }
  },
);

describe("before anything is parsed, it is refused for", () => {
  const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));
  const objects = "{".repeat(200_000);
  const lists = "[".repeat(500_000);
  const cases: Readonly<Record<string, readonly [text: string, path: string, message: RegExp]>> = {
    "90,000 keys": [`{"a":1,"raw":{${many(90_000, (i) => `"${i}":0`)}}}`, "raw", /2,000 values/],
    "a list of 90,000 in an object": [`{"raw":{"a":[${many(90_000, () => "0")}]}}`, "raw", /2,000 values/],
    "objects in each other, never closed": [`{"raw":${objects}`, "raw", /2,000 values/],
    "lists in each other": [`{"raw":{"a":${lists}${lists.replaceAll("[", "]")}}}`, "raw", /2,000 values/],
    "an entry of 90,000 values": [`{"s":[0,{${many(90_000, (i) => `"${i}":0`)}}]}`, "s[1]", /2,000 values/],
    "100,000 entries": [`{"s":[${many(100_000, () => "{}")}]}`, "s", /at most 1,000 entries/],
    "1,001 entries": [`{"s":[${many(1_001, () => "{}")}]}`, "s", /at most 1,000 entries/],
    "a list of lists in each other": [`[${lists}`, "", /must be a JSON object/],
    "a list of 90,000": [` [${many(90_000, () => "0")}]`, "", /must be a JSON object/],
    "50,000 fields": [`{${many(50_000, (i) => `"${i}":0`)}}`, "", /more than 100 fields/],
    "50,000 fields of lists": [`{${many(50_000, (i) => `"${i}":[]`)}}`, "", /more than 100 fields/],
  };

  test.each(Object.entries(cases))("%s", async (_, [text, path, message]) => {
    // Without its end it is no JSON: who parses it says so.
    for (const sent of [text, text.slice(0, -1)]) {
      await expect(parseObject(sent)).rejects.toMatchObject({
        code: "invalid-payload",
        details: [{ path, message: expect.stringMatching(message) }],
      });
    }
  });
});

test("a fault is told by its place in the text that was sent", async () => {
  const text = '{"scores":[{"area":"shop","x":1},{"b":2}] "x":1}';
  for (const sent of lengths(text)) {
    await expect(parseObject(sent)).rejects.toThrow(`position ${text.indexOf(' "x":1}') + 1}`);
  }
  await expect(parseObject('{"scores":[{"__proto__":1}]}')).rejects.toThrow("must not have the key __proto__");
});
