import { createEngine } from "@maturity/core";
import { expect, test } from "vitest";
import { reliability } from "./index.ts";
import { sla } from "./sla.ts";

test.each([
  { availability_pct: 94.2, text: "availability 94.2 %: 95 % or less scores 0" },
  { availability_pct: 99, text: "availability 99 %: scores 50" },
  { availability_pct: 99.7, text: "availability 99.7 %: between 99.5 % (75) and 99.9 % (100)" },
  { availability_pct: 99.95, text: "availability 99.95 %: 99.9 % or more scores 100" },
])("$text", ({ availability_pct, text }) => {
  expect(sla.score({ availability_pct }).reasons).toEqual([
    { field: "availability_pct", value: availability_pct, text },
  ]);
});

test("a refusal names the field and the fault", () => {
  const score = (raw: unknown) => createEngine([reliability]).score("reliability", "sla", raw);
  expect(() => score({ availability_pct: "99.9" })).toThrow(
    "raw does not fit reliability.sla: raw.availability_pct: must be a number",
  );
  expect(() => score({ availability_pct: 101 })).toThrow("raw.availability_pct: must be less than or equal to 100");
  expect(() => score({ availability: 99.9 })).toThrow("raw.availability_pct: is required");
});
