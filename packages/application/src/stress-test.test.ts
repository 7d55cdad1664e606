import { createEngine, type Engine } from "@maturity/core";
import { expect, test } from "vitest";
import { application } from "./index.ts";
import { stressTest } from "./stress-test.ts";

test("the reasons name all three, the lowest first, and say which one counts", () => {
  expect(stressTest.score({ error_rate: 0.02, p95_ms: 1_250, checks_pct: 97 }).reasons).toMatchObject([
    {
      field: "p95_ms",
      value: 1_250,
      text: "the p95 latency is 1,250 ms, which scores 50; the score falls evenly from 100 at 500 ms to 0 at 2,000 ms; this score counts because no other is lower",
    },
    {
      field: "checks_pct",
      value: 97,
      text: "the share of passed checks is 97 %, which scores 85; the score rises evenly from 50 at 90 % to 100 at 100 %; this score does not count because another is lower",
    },
    {
      field: "error_rate",
      value: 0.02,
      text: "the error rate is 2 %, which scores 88.89; the score falls evenly from 100 at 1 % to 0 at 10 %; this score does not count because another is lower",
    },
  ]);
});

test("the reasons name what costs nothing, too", () => {
  const { reasons } = stressTest.score({ error_rate: 0.3, p95_ms: 20, checks_pct: 100 });
  expect(reasons.map(({ text }) => text)).toEqual([
    "the error rate is 30 %, which scores 0; the score falls evenly from 100 at 1 % to 0 at 10 %; this score counts because no other is lower",
    "the p95 latency is 20 ms, which scores 100; 500 ms or less is enough for that; this score does not count because another is lower",
    "the share of passed checks is 100 %, which scores 100; the score rises evenly from 50 at 90 % to 100 at 100 %; this score does not count because another is lower",
  ]);
});

test("full marks name all three", () => {
  expect(stressTest.score({ error_rate: 0.001, p95_ms: 120, checks_pct: 100 }).reasons.map(({ text }) => text)).toEqual(
    [
      "the error rate is 0.1 %, which scores 100; 1 % or less is enough for that",
      "the p95 latency is 120 ms, which scores 100; 500 ms or less is enough for that",
      "the share of passed checks is 100 %, which scores 100; the score rises evenly from 50 at 90 % to 100 at 100 %",
    ],
  );
});

test.each([2, 1.5, -0.02])("an error rate of %s is refused with a message that says fraction", (error_rate) => {
  const raw = { error_rate, p95_ms: 200, checks_pct: 100 };
  expect(() => createEngine([application]).score("application", "stress_test", raw)).toThrow(
    "raw.error_rate: must be a fraction from 0 to 1, as k6 reports it: 0.02 is 2 %",
  );
});

test("all faults of one input are listed at once", () => {
  const raw = { error_rate: 2, p95_ms: "200" };
  const engine: Engine = createEngine([application]);
  expect(() => engine.score("application", "stress_test", raw)).toThrow(
    expect.objectContaining({
      code: "invalid-raw",
      details: [
        { path: "raw.error_rate", message: expect.stringContaining("fraction") },
        { path: "raw.p95_ms", message: "must be a number" },
        { path: "raw.checks_pct", message: "is required" },
      ],
    }),
  );
});
