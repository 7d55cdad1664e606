import { createEngine, type Engine } from "@maturity/core";
import { expect, test } from "vitest";
import { reliability } from "./index.ts";
import { sla } from "./sla.ts";

test.each([
  {
    availability_pct: 94.2,
    text: "the availability is 94.2 %, which scores 0; the score rises evenly from 0 at 95 % to 50 at 99 %",
  },
  {
    availability_pct: 99,
    text: "the availability is 99 %, which scores 50; the score rises evenly from 50 at 99 % to 75 at 99.5 %",
  },
  {
    availability_pct: 99.7,
    text: "the availability is 99.7 %, which scores 87.5; the score rises evenly from 75 at 99.5 % to 100 at 99.9 %",
  },
  { availability_pct: 99.95, text: "the availability is 99.95 %, which scores 100; 99.9 % or more is enough for that" },
])("$text", ({ availability_pct, text }) => {
  expect(sla.score({ availability_pct }).reasons).toMatchObject([
    { field: "availability_pct", value: availability_pct, text },
  ]);
});

test("a refusal names the field and the fault", () => {
  const score = (raw: unknown) => (createEngine([reliability]) as Engine).score("reliability", "sla", raw);
  expect(() => score({ availability_pct: "99.9" })).toThrow(
    "raw does not fit reliability.sla: raw.availability_pct: must be a number",
  );
  expect(() => score({ availability_pct: 101 })).toThrow("raw.availability_pct: must be less than or equal to 100");
  expect(() => score({ availability: 99.9 })).toThrow("raw.availability_pct: is required");
});
