import { createEngine } from "@maturity/core";
import { expect, test } from "vitest";
import { application } from "./index.ts";
import { stressTest } from "./stress-test.ts";

test("the reasons name all three, the lowest first, and say which one counts", () => {
  expect(stressTest.score({ error_rate: 0.02, p95_ms: 1_250, checks_pct: 97 }).reasons).toEqual([
    {
      field: "p95_ms",
      value: 1_250,
      text: "p95 latency 1,250 ms: between 500 ms (100) and 2,000 ms (0); the lowest counts",
    },
    {
      field: "checks_pct",
      value: 97,
      text: "passed checks 97 %: between 90 % (50) and 100 % (100); not the lowest, so it does not count",
    },
    {
      field: "error_rate",
      value: 0.02,
      text: "error rate 0.02: between 0.01 (100) and 0.1 (0); not the lowest, so it does not count",
    },
  ]);
});

test("what costs nothing is told too", () => {
  const { reasons } = stressTest.score({ error_rate: 0.3, p95_ms: 20, checks_pct: 100 });
  expect(reasons.map(({ text }) => text)).toEqual([
    "error rate 0.3: 0.1 or more scores 0; the lowest counts",
    "p95 latency 20 ms: 500 ms or less scores 100; not the lowest, so it does not count",
    "passed checks 100 %: scores 100; not the lowest, so it does not count",
  ]);
});

test("full marks name all three", () => {
  expect(stressTest.score({ error_rate: 0.001, p95_ms: 120, checks_pct: 100 }).reasons.map(({ text }) => text)).toEqual(
    [
      "error rate 0.001: 0.01 or less scores 100",
      "p95 latency 120 ms: 500 ms or less scores 100",
      "passed checks 100 %: scores 100",
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
  expect(() => createEngine([application]).score("application", "stress_test", raw)).toThrow(
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
