import { expect, test } from "vitest";
import { parseRawValues } from "./raw-values.ts";

test.each<[string, string[], object]>([
  ["flags", ["enabled=true", "found=false"], { enabled: true, found: false }],
  [
    "numbers",
    ["minutes=90", "error_rate=0.02", "low=-1", "large=1e3"],
    { minutes: 90, error_rate: 0.02, low: -1, large: 1000 },
  ],
  ["texts", ["note=by hand", "hex=0x10", "empty="], { note: "by hand", hex: "0x10", empty: "" }],
  ["a text that looks like a number", ['version="1.10"'], { version: "1.10" }],
  ["an equals sign in the value", ["query=a=b"], { query: "a=b" }],
  ["other JSON", ['tags=["a"]', "nothing=null"], { tags: ["a"], nothing: null }],
])("%s", (_, pairs, values) => {
  expect(parseRawValues(pairs)).toEqual(values);
});

test.each([
  ["high=1", "high=2"],
  ["high=1", "low=0", " high =1"],
])("a name that stands there twice is refused: %j", (...pairs) => {
  expect(() => parseRawValues(pairs)).toThrow("--raw high stands there twice");
});

test.each(["enabled", "=true", ""])("%j is refused", (pair) => {
  expect(() => parseRawValues([pair])).toThrow("must be name=value");
});
