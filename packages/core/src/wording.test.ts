import { describe, expect, test } from "vitest";
import { defineMetric, fractionAsPercent, minutesAsTime, piecewise, type Unit } from "./index.ts";
import { writeNumber, writeShare } from "./wording.ts";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [999, "999"],
    [999.5, "999.5"],
    [999.999_99, "1,000"],
    [1_000, "1,000"],
    [1_440, "1,440"],
    [1_234_567.25, "1,234,567.25"],
    [99.95, "99.95"],
    [99.899_9, "99.8999"],
    [99.872_345_678_9, "99.8723"],
    [0.1 + 0.2, "0.3"],
    [1 / 3, "0.3333"],
    [0.099_999_9, "0.1"],
    [0.001, "0.001"],
    [0.000_5, "0.0005"],
    [0.000_123_456, "0.0001235"],
    [1e-7, "0.0000001"],
    [1e21, "1,000,000,000,000,000,000,000"],
    [-3, "-3"],
    [-0.25, "-0.25"],
    [-1_440, "-1,440"],
  ])("%d is written %s", (value, written) => expect(writeNumber(value)).toBe(written));
});

describe("units", () => {
  const textOf = (unit: Unit, value: number) => {
    const points = [
      [1, 100],
      [2_000, 0],
    ] as const;
    const inputs = { n: { label: "the load", unit } };
    const metric = defineMetric({ name: "load", title: "Load", inputs, score: piecewise("n", points) });
    return metric.score({ n: value }).reasons[0]?.text;
  };

  test.each<{ name: string; unit: Unit; value: number; text: string }>([
    {
      name: "stand behind the number",
      unit: "ms",
      value: 2_000,
      text: "the load is 2,000 ms, which scores 0; the score falls evenly from 100 at 1 ms to 0 at 2,000 ms",
    },
    {
      name: "have a singular and a plural",
      unit: ["core", "cores"],
      value: 0.5,
      text: "the load is 0.5 cores, which scores 100; 1 core or less is enough for that",
    },
    {
      name: "may be functions",
      unit: (value) => `about ${Math.round(value)}`,
      value: 1.2,
      text: "the load is about 1, which scores 99.99; the score falls evenly from 100 at about 1 to 0 at about 2000",
    },
  ])("$name", ({ unit, value, text }) => expect(textOf(unit, value)).toBe(text));
});

test.each([
  [0, "0 %"],
  [0.02, "2 %"],
  [0.07, "7 %"],
  [0.000_123, "0.0123 %"],
  [1, "100 %"],
])("the fraction %d is %s", (fraction, percent) => expect(fractionAsPercent(fraction)).toBe(percent));

test.each([
  [0, "less than 0.1 %"],
  [0.001, "0.1 %"],
  [0.994, "99 %"],
  [0.995, "more than 99 %"],
])("the share %d is %s", (share, percent) => expect(writeShare(share)).toBe(percent));

test.each([
  [0, "0 seconds"],
  [1e-6, "0.00006 seconds"],
  [1 / 60, "1 second"],
  [0.5, "30 seconds"],
  [0.999_999_999, "60 seconds"],
  [1, "1 minute"],
  [12.5, "12 minutes 30 seconds"],
  [59.999, "1 hour"],
  [60, "1 hour"],
  [90, "1 hour 30 minutes"],
  [1_440, "1 day"],
  [1_470, "1 day 30 minutes"],
  [5_000.25, "3 days 11 hours 20 minutes 15 seconds"],
  [5_256_000, "3,650 days"],
  [-5, "-5 minutes"],
])("%d minutes are %s", (minutes, time) => expect(minutesAsTime(minutes)).toBe(time));
