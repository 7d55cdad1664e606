import { z } from "zod";
import { halving, type Outcome, type Scorecard } from "../src/index.ts";
import { checkScorecard, type GoldenCase, type GoldenCases } from "../src/testing.ts";
import { metricWith, scorecardWith } from "./scorecards.ts";

export type Raw = { readonly high: number };

export const high: z.ZodType<Raw> = z.object({ high: z.int().min(0) });

/** A metric that is in order. */
const good = {
  name: "bugs",
  raw: high,
  score: halving({ high: 5 }),
  better: { high: "lower" },
};

/** What it scores. */
export const goodCases: Readonly<Record<string, GoldenCase>> = {
  "no bugs": { raw: { high: 0 }, score: 100, reasons: ["high"] },
  "five bugs halve": { raw: { high: 5 }, score: 50 },
  "half a bug": { raw: { high: 0.5 }, refused: "raw.high" },
};

/** A scorecard of this metric, in order but for what is given. */
export const withMetric = (changes: Readonly<Record<string, unknown>>): Scorecard =>
  scorecardWith({ metrics: [metricWith({ ...good, ...changes })] });

export const outcome = (score: number, field = "high"): Outcome => ({
  score,
  reasons: [{ field, value: "any", text: "it is so" }],
});

/** What each failing check says, by its name. */
export function failures(scorecard: Scorecard, cases: GoldenCases): Record<string, string> {
  const failed: Record<string, string> = {};
  for (const { name, run } of checkScorecard(scorecard, cases)) {
    try {
      run();
    } catch (error) {
      failed[name] = (error as Error).message;
    }
  }
  return failed;
}
