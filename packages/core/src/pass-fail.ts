import { type CurveOfOne, drawn } from "./curve.ts";
import type { ScoreFunction } from "./scorecard.ts";

/** The value that passes, and for either case a clause that says what is so: `a health endpoint is exposed`. */
export interface PassOrFail {
  readonly passes: boolean;
  readonly pass: string;
  readonly fail: string;
}

/**
 * A flag: 100 when it has the passing value, 0 otherwise. Its reason says what is so and what would be otherwise: "no health
 * endpoint is exposed, which scores 0; the score is 100 when a health endpoint is exposed".
 *
 * @param field the flag it reads; left out where the metric has one input only
 */
export function passFail<Field extends string>(
  field: Field,
  outcome: PassOrFail,
): ScoreFunction<Record<Field, boolean>>;
export function passFail(outcome: PassOrFail): CurveOfOne<boolean>;
export function passFail(
  ...[first, second]: [string, PassOrFail] | [PassOrFail]
): ScoreFunction<Record<string, boolean>> | CurveOfOne<boolean> {
  return typeof first === "string" ? flag(first, second as PassOrFail) : { of: (field) => flag(field, first) };
}

function flag(field: string, { passes, pass, fail }: PassOrFail): ScoreFunction<Record<string, boolean>> {
  const passed = { text: `${pass}, which scores 100; the score is 0 when ${fail}`, code: "pass" };
  const failed = { text: `${fail}, which scores 0; the score is 100 when ${pass}`, code: "fail" };
  const scoreOf: ScoreFunction<Record<string, boolean>> = (raw) => {
    const value = raw[field];
    const isPassed = value === passes;
    return { score: isPassed ? 100 : 0, reasons: [{ field, value, ...(isPassed ? passed : failed) }] };
  };
  return drawn(scoreOf, {
    inputs: { [field]: { type: "boolean", better: passes ? "higher" : "lower" } },
    worded: () => scoreOf,
  });
}
