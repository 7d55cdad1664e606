import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failures, outcome, withMetric } from "../test/bugs.ts";

test("two inputs that both get better score lower only together", () => {
  const both = z.object({ high: z.int().min(0), low: z.int().min(0) });
  const score = ({ high, low }: { high: number; low: number }) => outcome(high === 0 && low === 0 ? 40 : 50);
  const better = { high: "lower", low: "lower" };
  const cases = { some: { raw: { high: 1, low: 0 }, score: 50 }, others: { raw: { high: 0, low: 1 }, score: 50 } };
  expect(failures(withMetric({ raw: both, score, better }), { bugs: cases })).toEqual({
    "cost.bugs never scores a better input lower": expect.stringContaining('{"high":0,"low":0} scores 40'),
  });
});

describe("inputs that only change together", () => {
  const together = (accepts: (raw: Two) => boolean) =>
    z.looseObject({ high: z.int().min(0), low: z.int().min(0) }).refine(accepts);
  type Two = { readonly high: number; readonly low: number };
  const worse = ({ high }: Two) => outcome(high === 0 ? 40 : 50);
  const both = (direction: string) => ({ high: direction, low: direction });

  test.each<[string, number, number]>([
    ["lower", 0, 1],
    ["higher", 1, 0],
  ])("score lower where both get better: %s", (direction, best, other) => {
    const raw = together(({ high, low }) => high === low);
    const score = (raw: Two) => (direction === "lower" ? worse(raw) : outcome(raw.high === 0 ? 50 : 40));
    const cases = {
      best: { raw: { high: best, low: best }, score: 40 },
      other: { raw: { high: other, low: other }, score: 50 },
    };
    const same = (value: number) => `{"high":${value},"low":${value}}`;
    const message = `each field is as good or better, but ${same(other)} scores 50 and ${same(best)} scores 40`;
    for (const some of [cases, { other: cases.other, best: cases.best }]) {
      expect(failures(withMetric({ raw, score, better: both(direction) }), { bugs: some })).toEqual({
        "cost.bugs never scores a better input lower": message,
      });
    }
  });

  test("and may be refused where both are best", () => {
    const raw = together(({ high, low }) => high + low > 0);
    const score = ({ high, low }: Two) => outcome(100 - Math.min(50, high) - Math.min(50, low));
    const cases = { some: { raw: { high: 1, low: 0 }, score: 99 }, others: { raw: { high: 0, low: 1 }, score: 99 } };
    const found = failures(withMetric({ raw, score, better: both("lower") }), { bugs: cases });
    expect(found).toEqual({});
  });
});
