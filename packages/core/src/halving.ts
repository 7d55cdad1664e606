import { drawn } from "./curve.ts";
import { MaturityError } from "./errors.ts";
import type { Input, Reason, ScoreFunction } from "./scorecard.ts";
import { writeCount, writeNumber, writeShare } from "./wording.ts";

/**
 * 100 · 2^−Σ(count / halvedBy): under each field stands how many of it halve the score. The first ones cost most, and no
 * number of them is free. Its reasons keep the order of the fields, so put the gravest first. Each one after the first says
 * which share it leaves of what the ones before it left: "3 high findings leave 66 % of the score; every 5 of them halve it".
 * What is counted stands in the `unit` of an input, in the singular and the plural; without one it is the field's findings.
 *
 * @param halvedBy for each counted field a number above 0
 * @throws MaturityError `invalid-scorecard` when a number is not above 0, or there is none
 */
export function halving<Field extends string>(
  halvedBy: Readonly<Record<Field, number>>,
): ScoreFunction<Record<Field, number>> {
  const fields = Object.entries<number>(halvedBy);
  if (fields.length === 0 || fields.some(([, number]) => !(number > 0 && Number.isFinite(number)))) {
    throw new MaturityError("invalid-scorecard", "halving: every field needs a number above 0 that halves the score");
  }
  return worded({});

  function worded(inputs: Readonly<Record<string, Input | undefined>>): ScoreFunction<Record<string, number>> {
    const costs = fields.map(([field, number]) => costOf(field, number, inputs[field]?.unit));
    const scoreOf: ScoreFunction<Record<string, number>> = (raw) => {
      let halvings = 0;
      const reasons: Reason[] = [];
      for (const { field, number, noun, rule } of costs) {
        const count = raw[field] as number;
        if (count === 0) continue;
        const cost = count / number;
        halvings += cost;
        const share = 2 ** -cost;
        const leaves = `${writeCount(count, noun)} ${count === 1 ? "leaves" : "leave"} ${writeShare(share)}`;
        const whole = reasons.length === 0 ? "the score" : "the remaining score";
        const values = { share, halved_by: number };
        reasons.push({ field, value: count, text: `${leaves} of ${whole}; ${rule}`, code: "leaves", values });
      }
      if (reasons.length === 0) return { score: 100, reasons: costs.map(({ none }) => ({ ...none })) };
      return { score: 100 * 2 ** -halvings, reasons };
    };
    return drawn(scoreOf, {
      inputs: Object.fromEntries(fields.map(([field]) => [field, { type: "integer", min: 0, better: "lower" }])),
      worded,
    });
  }
}

function costOf(field: string, number: number, unit: Input["unit"]) {
  const words = field.replaceAll("_", " ");
  const noun: readonly [string, string] = Array.isArray(unit)
    ? (unit as [string, string])
    : [`${words} finding`, `${words} findings`];
  const enough = number === 1 ? "each one" : `every ${writeNumber(number)} of them`;
  const text = `${writeCount(0, noun)} leave the score at 100; ${enough} would halve it`;
  const none: Reason = { field, value: 0, text, code: "none", values: { halved_by: number } };
  return { field, number, noun, rule: `${enough} ${number === 1 ? "halves" : "halve"} it`, none };
}
