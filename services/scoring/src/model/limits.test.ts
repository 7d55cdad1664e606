import { expect, test } from "vitest";
import { tooManyFields } from "./limits.ts";

const object = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [index, 0]));

test("an object may have 100 fields, not more", () => {
  expect(tooManyFields(object(100), "")).toBeUndefined();
  expect(tooManyFields(object(101), "details[2]")).toEqual({ path: "details[2]", message: "has more than 100 fields" });
});
