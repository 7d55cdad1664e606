import { expect, test } from "vitest";
import { tooManyFields, tooManyValues } from "./limits.ts";

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

test("an object may have 100 fields, not more", () => {
  expect(tooManyFields(object(100), "")).toBeUndefined();
  expect(tooManyFields(object(101), "details[2]")).toEqual({ path: "details[2]", message: "has more than 100 fields" });
});
