import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseObject } from "./json.ts";

/** The same text as a short one, and as one that is long enough to be counted first. */
const lengths = (text: string) => [text, text + " ".repeat(100_000)];

/** After a key with a backslash V8 may read another one wrongly: https://github.com/nodejs/node/issues/63785. */
const field = fc.string({ unit: "grapheme" }).filter((name) => name !== "__proto__" && !name.includes("\\"));
const value = fc.jsonValue({ maxDepth: 4 }).filter((value) => !/__proto__|\\\\/.test(JSON.stringify(value)));
const bodies = fc.dictionary(field, fc.oneof(value, fc.array(value)), { maxKeys: 10 });

test("any object is what JSON.parse makes of it, however it is written", () => {
  fc.assert(
    fc.property(bodies, fc.constantFrom(undefined, 1, "\t", "\r\n "), (body, space) => {
      const text = JSON.stringify(body, undefined, space);
      for (const sent of lengths(text)) expect(parseObject(sent)).toEqual(JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

const refused: Readonly<Record<string, readonly [text: string, message: string]>> = {
  "an empty body": [" \n", "the body is empty; send a JSON object"],
  "a list": ["[1]", "the body must be a JSON object"],
  null: ["null", "the body must be a JSON object"],
  "a list that is open": ['{"a":[1,2', "the body is not valid JSON"],
  "an open text that ends with a backslash": ['{"a":"\\', "the body is not valid JSON"],
  "something behind it": ['{"a":[1]}]', "the body is not valid JSON"],
  "a key __proto__": ['{"__proto__":[1]}', "must not have the key __proto__"],
  "a key __proto__ in an entry": ['{"a":[1,{"__proto__":1}]}', "must not have the key __proto__"],
  "a key __proto__ with an escape": ['{"a":[1],"b":{"\\u005f_proto__":1}}', "must not have the key __proto__"],
};

test.each(Object.entries(refused))("%s is refused", (_, [text, message]) => {
  for (const sent of lengths(text)) expect(() => parseObject(sent)).toThrow(message);
});

test("a syntax error is named by its position in the text that was sent", () => {
  const text = '{"scores":[{"area":"shop","x":1},{"b":2}] "x":1}';
  expect(() => parseObject(text)).toThrow(`position ${text.indexOf(' "x":1}') + 1}`);
});

describe("before it is parsed, a body is refused for too many values:", () => {
  const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));
  const cases: Readonly<Record<string, string>> = {
    keys: `{"raw":{${many(60_000, (i) => `"${i}":0`)}}}`,
    items: `{"raw":{"a":[${many(60_000, () => "0")}]}}`,
    "objects in each other, never closed": `{"raw":${'{"":'.repeat(60_000)}`,
    "lists in each other": `{"raw":${"[".repeat(120_000)}`,
    "behind a text with a quote and a backslash": String.raw`{"a":"\"[\\","raw":[${many(60_000, () => "0")}]}`,
  };

  test.each(Object.entries(cases))("%s", (_, text) => {
    expect(() => parseObject(text)).toThrow("the body holds more than 50,000 values in all");
  });
});

test("what stands in texts is not counted", () => {
  const text = JSON.stringify({ a: '[{,"\\'.repeat(100_000) });
  expect(parseObject(text)).toEqual(JSON.parse(text));
});

test("50,000 values are taken", () => {
  const text = JSON.stringify({ a: Array.from({ length: 49_990 }, () => 10) });
  expect(parseObject(text)).toEqual(JSON.parse(text));
});
