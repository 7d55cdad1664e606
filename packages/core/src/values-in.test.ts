import { expect, test } from "vitest";
import { valuesIn } from "./values-in.ts";

test.each<[name: string, value: unknown, values: number]>([
  ["a number alone", 1, 0],
  ["an empty list", [], 1],
  ["the items of a list", [1, 2, 3], 3],
  ["the keys of an object", { a: 1, b: 2 }, 2],
  ["keys and items at every depth", { a: [1, 2], b: { c: {} } }, 6],
  ["marks in texts and keys", { 'a,[{"\\': 'b\\",[{' }, 1],
])("%s", (_, value, values) => {
  expect(valuesIn(JSON.stringify(value))).toBe(values);
  expect(valuesIn(JSON.stringify(value, null, 2))).toBe(values);
});

test("counting ends above the limit", () => {
  expect(valuesIn(`[${"1,".repeat(10)}1]`, 4)).toBe(5);
});
