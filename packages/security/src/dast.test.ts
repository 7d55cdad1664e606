import { createEngine } from "@maturity/core";
import { expect, test } from "vitest";
import { dast } from "./dast.ts";
import { security } from "./index.ts";
import { sast } from "./sast.ts";

test("the reasons say what each severity costs", () => {
  expect(dast.score({ high: 1, medium: 4 }).reasons).toMatchObject([
    { field: "high", value: 1, text: "1 high finding leaves 63 % of the score; every 1.5 of them halve it" },
    {
      field: "medium",
      value: 4,
      text: "4 medium findings leave 71 % of the remaining score; every 8 of them halve it",
    },
  ]);
});

test.each([
  { high: 1, medium: 0 },
  { high: 0, medium: 1 },
])("a finding costs more when proven than in the source: $high high, $medium medium", (raw) => {
  expect(dast.score(raw).score).toBeLessThan(sast.score({ critical: 0, ...raw }).score);
});

test("critical is no field of dast: it costs nothing", () => {
  const raw = { critical: 7, high: 0, medium: 0 };
  expect(createEngine([security]).score("security", "dast", raw)).toMatchObject({ score: 100 });
});
