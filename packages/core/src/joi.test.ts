import { expect, test } from "vitest";
import { flag, percentage, rawObject } from "./joi.ts";

const schema = rawObject<{ readonly share: number; readonly up: boolean }>({ share: percentage, up: flag });

test.each<[string, object, object]>([
  ["the least share, and a flag", { share: 0, up: false }, { share: 0, up: false }],
  ["the largest share, and a flag as a number", { share: 100, up: 1 }, { share: 100, up: true }],
  ["0 for a flag", { share: 0.5, up: 0 }, { share: 0.5, up: false }],
  ["further fields", { share: 1, up: true, tool: { name: "x" } }, { share: 1, up: true, tool: { name: "x" } }],
])("accepts %s", (_, raw, value) => {
  expect(schema.validate(raw)).toEqual({ value });
});

test.each<[string, unknown, string[]]>([
  ["nothing", {}, ["is required", "is required"]],
  ["a share below 0", { share: -0.01, up: true }, ["must be greater than or equal to 0"]],
  ["a share above 100", { share: 100.01, up: true }, ["must be less than or equal to 100"]],
  ["texts", { share: "1", up: "true" }, ["must be a number", "must be true or false"]],
  ["another number for a flag", { share: 1, up: 2 }, ["must be true or false"]],
])("refuses %s", (_, raw, faults) => {
  expect(schema.validate(raw).error?.details.map(({ message }) => message)).toEqual(faults);
});
