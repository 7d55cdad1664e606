import fc from "fast-check";
import { expect, test } from "vitest";
import { namesIn, otherOf } from "./other.ts";

test("names come back from the address as they went there", () => {
  const name = fc.string({ minLength: 1, unit: "grapheme" });
  fc.assert(
    fc.property(name, name, fc.option(name), (area, team, app) => {
      expect(namesIn(otherOf({ area, team, app }))).toEqual({ area, team, ...(app !== null && { app }) });
    }),
  );
});

test.each([
  ["shop", { area: "shop" }],
  ["shop/100%", { area: "shop", team: "100%" }],
  ["", {}],
])("%s that was typed is taken as it stands", (typed, names) => {
  expect(namesIn(typed)).toEqual(names);
});
