import { expect, test } from "vitest";
import { fillIn, withoutSecrets } from "./secrets.ts";

test.each<[string, string, ReturnType<typeof fillIn>]>([
  ["no variable", "a $b $${", { text: "a $b $${", missing: [] }],
  ["variables", "${A}-${B}", { text: "1-${A}", missing: [] }],
  ["names that every object has", "${constructor}${__proto__}", { text: "", missing: ["constructor", "__proto__"] }],
  ["some that are missing", "${A}${NONE}${EMPTY}", { text: "1", missing: ["NONE", "EMPTY"] }],
])("%s", (_, text, expected) => expect(fillIn(text, { A: "1", B: "${A}", EMPTY: "" })).toEqual(expected));

test("a secret within another is shown no more than the other", () => {
  const secrets = ["word", "password", ""];
  expect(withoutSecrets("password, word and password123", secrets)).toBe("***, *** and ***123");
});
