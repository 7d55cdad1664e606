import { curveOf, drawn } from "./curve.ts";
import { MaturityError } from "./errors.ts";
import { isPromise } from "./promise.ts";
import type { Input, Outcome, Reason, ScoreFunction } from "./scorecard.ts";

/** What all of these functions take: the inputs of each. */
export type InputOfAll<Functions extends readonly ScoreFunction<never>[]> = Functions[number] extends (
  raw: infer Raw extends object,
) => Outcome
  ? Raw
  : never;

/**
 * The lowest of several curves counts, so that a good value of one cannot hide a bad value of another. Its reasons are
 * those of all curves, the lowest first, and say which one counts unless all score 100. A `lowestOf` within it adds its curves.
 *
 * @param functions at least one
 * @throws MaturityError `invalid-scorecard` when there is none
 */
export function lowestOf<Functions extends readonly ScoreFunction<never>[]>(
  ...functions: Functions
): ScoreFunction<InputOfAll<Functions>> {
  if (functions.length === 0) throw new MaturityError("invalid-scorecard", "lowestOf: needs at least one curve");
  const parts = functions.flatMap((scoreOf) => curveOf(scoreOf)?.parts ?? [scoreOf]);
  const lowest: ScoreFunction<InputOfAll<Functions>> = (raw) => {
    const outcomes: Outcome[] = [];
    for (const part of parts) {
      // The input of all is also the input of each, which the compiler cannot see.
      const outcome = part(raw as never);
      if (isPromise(outcome)) return outcome; // the engine refuses it
      outcomes.push(outcome);
    }
    outcomes.sort((a, b) => a.score - b.score);
    const score = Math.min(...outcomes.map((outcome) => outcome.score));
    const mark = (outcome: Outcome): readonly Reason[] => {
      const counts = outcome.score === score;
      const role = counts ? "counts because no other is lower" : "does not count because another is lower";
      return outcome.reasons.map((reason) => ({
        ...reason,
        text: `${reason.text}; this score ${role}`,
        values: { ...reason.values, counts },
      }));
    };
    return { score, reasons: score === 100 ? outcomes.flatMap(({ reasons }) => reasons) : outcomes.flatMap(mark) };
  };
  return drawn(lowest, {
    inputs: inputsOf(parts),
    parts,
    worded: (inputs) => lowestOf(...parts.map((part) => curveOf(part)?.worded(inputs) ?? part)) as ScoreFunction<never>,
  });
}

/** An input of two curves has a direction if both have the same. */
function inputsOf(parts: readonly ScoreFunction<never>[]): Readonly<Record<string, Input>> {
  const all: Record<string, Input> = {};
  for (const part of parts) {
    for (const [field, input] of Object.entries(curveOf(part)?.inputs ?? {})) {
      const known = Object.hasOwn(all, field) ? all[field] : undefined;
      const { better, ...rest } = { ...known, ...input };
      const isAgreed = better !== undefined && (!known || known.better === input.better);
      all[field] = { ...rest, ...(isAgreed && { better }) };
    }
  }
  return all;
}
