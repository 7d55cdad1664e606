import Joi from "joi";
import { expect, test } from "vitest";
import { faults, name, strict, text, whole } from "./fields.ts";

const schema = Joi.object({
  area: name(3).required(),
  note: text(0, 3),
  list: Joi.array().items(Joi.object({ file: text(1, 2).required(), line: Joi.number().integer() })),
}).prefs(strict);

/** The faults of a body, as texts. */
function faultsOf(body: object): string[] {
  const { error } = schema.validate(body);
  return error ? faults(error).map(({ path, message }) => `${path}: ${message}`) : [];
}

const name3 = "must be a text of 1 to 3 characters, without a space at either end";

const cases: Readonly<Record<string, { body: object; faults: readonly string[] }>> = {
  "nothing wrong": { body: { area: "a b", note: "", list: [{ file: "x", line: 1 }] }, faults: [] },
  "three code points": { body: { area: "\u{1f600}\u{1f600}\u{1f600}", note: "\u{1f600}\n\u{1f600}" }, faults: [] },
  "a field missing": { body: {}, faults: ["area: is required"] },
  "a name too long": { body: { area: "abcd" }, faults: [`area: ${name3}`] },
  "a name with a character that is not printable": {
    body: { area: "a\u200b" },
    faults: ["area: must not hold U+200B, which is not printable, as character 2"],
  },
  "a name that is none": { body: { area: 7 }, faults: ["area: must be a text"] },
  "a name that is empty": { body: { area: "" }, faults: ["area: must not be empty"] },
  "a field unknown": { body: { area: "a", ares: "a" }, faults: ["ares: is not a field of this request"] },
  "a text too long": {
    body: { area: "a", note: "abcd" },
    faults: ["note: must be a text of 0 to 3 characters, without NUL and lone surrogates"],
  },
  "faults deep inside, each with its path": {
    body: { area: "a", list: [{ file: "x" }, { line: "1" }, { file: "x", more: {} }] },
    faults: [
      "list[1].file: is required",
      "list[1].line: must be a number",
      "list[2].more: is not a field of this request",
    ],
  },
};

test.each(Object.entries(cases))("%s", (_, { body, faults }) => {
  expect(faultsOf(body)).toEqual(faults);
});

test.each([
  [1e20, "must be less than or equal to 2147483647"],
  [2_147_483_648, "must be less than or equal to 2147483647"],
  [-1e20, "must be greater than or equal to 0"],
  [2_147_483_647, undefined],
])("a whole number beyond its bounds, such as %d, shows the bound", (count, message) => {
  const { error } = whole(0, 2_147_483_647).prefs(strict).validate(count);
  expect(error && faults(error)).toEqual(message && [{ path: "", message }]);
});

test("the first of two faults of one field is shown", () => {
  const { error } = Joi.object({ a: Joi.string().valid("x") })
    .prefs(strict)
    .validate({ a: 1 });
  expect(error?.details).toHaveLength(2);
  expect(error && faults(error)).toEqual([{ path: "a", message: "must be [x]" }]);
});
