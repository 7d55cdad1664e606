import { expect, test } from "vitest";
import { MaturityError } from "./errors.ts";
import { requireStorable, tooManyValues, unstorable } from "./storable.ts";

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
  "an object with odd keys": { "": 1, "a.b": 2, "\u0001": 3, constructor: 4, '"': 5 },
};

test.each(Object.entries(storable))("%s can be stored", (_, value) => {
  expect(unstorable({ value }, "raw")).toBeUndefined();
});

const unstorables: Readonly<Record<string, { value: unknown; path: string; says: RegExp }>> = {
  NUL: { value: "a\0", path: "raw.value", says: /NUL/ },
  "a high surrogate alone": { value: "\ud83d", path: "raw.value", says: /surrogate/ },
  "a low surrogate alone": { value: ["ok", "\ude00"], path: "raw.value[1]", says: /surrogate/ },
  "NUL in a key": { value: { "\0": 1 }, path: "raw.value", says: /keys/ },
  "a backslash in a key": { value: { "a\\": 1 }, path: "raw.value", says: /keys .* backslashes/ },
  "the key __proto__": { value: [JSON.parse('{"__proto__":1}')], path: "raw.value[0]", says: /key __proto__/ },
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

test.each([
  ["\\", '"'],
  ["\\", "\u0001"],
  ["a\\", "a\n"],
  ['a\\"', 'a"b'],
  ["x\\u0", "x\u0001\u0002\u0003"],
])("after the key %j the key %j is read as it is, or cannot be stored", (former, key) => {
  const read = (name: string): object => JSON.parse(JSON.stringify({ [`only in ${former}${key}`]: 1, [name]: 2 }));
  const first = read(former);
  const value = read(key);
  expect(Object.keys(value)[1] === key || unstorable(value, "raw") !== undefined).toBe(true);
  expect(Object.keys(first)).toHaveLength(2); // V8 forgets a key that no object has any more
});

const list = (length: number, value: unknown = 0) => Array.from({ length }, () => value);
const object = (size: number, value: unknown = 0) => Object.fromEntries(list(size).map((_, index) => [index, value]));

const fitting: Readonly<Record<string, unknown>> = {
  "an empty object": {},
  "2,000 keys": object(2_000),
  "a list of 1,999 under one key": { all: list(1_999) },
  "1,000 objects of one key in a list": { all: list(999, { one: 1 }) },
  "2,000 objects in each other": list(2_000).reduce((inner: unknown) => ({ inner }), 0),
  "one text of a mebibyte": { text: "x".repeat(1_048_576) },
};

test.each(Object.entries(fitting))("raw may have %s", (_, raw) => {
  expect(tooManyValues(raw, "raw")).toBeUndefined();
});

const tooMany: Readonly<Record<string, unknown>> = {
  "2,001 keys": object(2_001),
  "a list of 2,000 under one key": { all: list(2_000) },
  "1,000 objects of one key in a list, and a key beside it": { all: list(1_000, { one: 1 }) },
  "2,001 objects in each other": list(2_001).reduce((inner: unknown) => ({ inner }), 0),
  "90,000 keys": object(90_000),
  "a list of 500,000": { all: list(500_000) },
  "a million lists in each other": list(1_000_000).reduce((inner: unknown) => [inner], 0),
};

test.each(Object.entries(tooMany))("raw may not have %s", (_, raw) => {
  expect(tooManyValues(raw, "raw")).toMatchObject({ path: "raw", message: expect.stringContaining("2,000 values") });
});

test.each(["a million lists in each other", "2,001 keys"])("%s are refused for their number", (name) => {
  const refused = expect.objectContaining({
    code: "invalid-raw",
    details: [{ path: "raw", message: expect.any(String) }],
  });
  expect(() => requireStorable(tooMany[name])).toThrow(/^raw holds more than 2,000 values in all/);
  expect(() => requireStorable(tooMany[name])).toThrow(refused);
});

test("of values that can be stored nothing is said, and of others where the fault is", () => {
  expect(() => requireStorable({ value: nested(31) })).not.toThrow();
  expect(() => requireStorable({ value: ["a\0"] })).toThrow(MaturityError);
  expect(() => requireStorable({ value: ["a\0"] })).toThrow("raw.value[0] must not hold NUL");
});
