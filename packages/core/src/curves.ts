import { MaturityError } from "./errors.ts";
import type { Outcome, Reason, Scorer } from "./scorecard.ts";

/** A corner of a curve: at this input, this score (0–100). */
export type Point = readonly [input: number, score: number];

/** How inputs of a curve are written in its reasons. */
export interface CurveOptions {
  /** What the input is, in words: `time to recover`. Default: the name of the field. */
  readonly label?: string;
  /** Written behind the number, with a space between: `%`, `min`, `ms`. */
  readonly unit?: string;
}

/**
 * Straight lines between the points, flat outside them.
 *
 * @param field the numeric input it reads
 * @param points at least two, by rising input; scores from 0 to 100
 * @throws MaturityError `invalid-scorecard` when the points are not that
 */
export function piecewise<Field extends string>(
  field: Field,
  points: readonly Point[],
  options: CurveOptions = {},
): Scorer<Record<Field, number>> {
  return curve(`piecewise("${field}")`, field, points, options, (input) => input);
}

/**
 * `piecewise` over the logarithm of the input, for inputs that span orders of magnitude such as durations.
 *
 * @param points inputs above 0; an input of 0 lies below the first point
 * @throws MaturityError `invalid-scorecard` when the points are not that
 */
export function logPiecewise<Field extends string>(
  field: Field,
  points: readonly Point[],
  options: CurveOptions = {},
): Scorer<Record<Field, number>> {
  const name = `logPiecewise("${field}")`;
  if (points.some(([input]) => !(input > 0))) {
    throw new MaturityError("invalid-scorecard", `${name}: every point needs an input above 0`);
  }
  return curve(name, field, points, options, Math.log);
}

/** How counted things are named in the reasons of `halving`. */
export interface HalvingOptions {
  /** Singular and plural. Default: `["finding", "findings"]`. */
  readonly noun?: readonly [singular: string, plural: string];
}

/**
 * 100 · 2^−Σ(count / halvedBy): under each field stands how many of it halve the score. The first ones cost most, and no
 * number of them is free. Its reasons keep the order of the fields, so put the gravest first.
 *
 * @param halvedBy for each counted field a number above 0
 * @throws MaturityError `invalid-scorecard` when a number is not above 0, or there is none
 */
export function halving<Field extends string>(
  halvedBy: Readonly<Record<Field, number>>,
  { noun: [one, many] = ["finding", "findings"] }: HalvingOptions = {},
): Scorer<Record<Field, number>> {
  const fields = Object.entries<number>(halvedBy) as [Field, number][];
  if (fields.length === 0 || fields.some(([, number]) => !(number > 0 && Number.isFinite(number)))) {
    throw new MaturityError("invalid-scorecard", "halving: every field needs a number above 0 that halves the score");
  }
  const costs = fields.map(([field, number]) => {
    const effect = number === 1 ? "each one halves the score" : `every ${format(number)} halve the score`;
    return { field, number, effect };
  });
  return (raw) => {
    let halvings = 0;
    const reasons: Reason[] = [];
    for (const { field, number, effect } of costs) {
      const count = raw[field];
      if (count === 0) continue;
      const cost = count / number;
      halvings += cost;
      const counted = `${format(count)} ${field} ${count === 1 ? one : many}`;
      reasons.push({ field, value: count, text: `${counted}: × ${factor(cost)}; ${effect}` });
    }
    if (reasons.length === 0) {
      return { score: 100, reasons: fields.map(([field]) => ({ field, value: 0, text: `no ${field} ${many}` })) };
    }
    return { score: 100 * 2 ** -halvings, reasons };
  };
}

/**
 * A flag: 100 when it has the passing value, 0 otherwise.
 *
 * @param outcome the value that passes, and the sentence for either case
 */
export function passFail<Field extends string>(
  field: Field,
  outcome: { readonly passes: boolean; readonly pass: string; readonly fail: string },
): Scorer<Record<Field, boolean>> {
  return (raw) => {
    const value = raw[field];
    const passed = value === outcome.passes;
    return { score: passed ? 100 : 0, reasons: [{ field, value, text: passed ? outcome.pass : outcome.fail }] };
  };
}

/** What all of these scorers take: the inputs of each. */
export type InputOfAll<Scorers extends readonly Scorer<never>[]> = Scorers[number] extends (
  raw: infer Raw extends object,
) => Outcome
  ? Raw
  : never;

/**
 * The lowest of several curves counts, so that a good value of one cannot hide a bad value of another. Its reasons are
 * those of all curves, the lowest first, and say which one counts unless all score 100.
 *
 * @param scorers at least one
 * @throws MaturityError `invalid-scorecard` when there is none
 */
export function lowestOf<Scorers extends readonly Scorer<never>[]>(...scorers: Scorers): Scorer<InputOfAll<Scorers>> {
  if (scorers.length === 0) throw new MaturityError("invalid-scorecard", "lowestOf: needs at least one curve");
  return (raw) => {
    // The input of all is also the input of each, which the compiler cannot see.
    const outcomes = scorers.map((score) => score(raw as never)).sort((a, b) => a.score - b.score);
    const score = Math.min(...outcomes.map((outcome) => outcome.score));
    const mark = (outcome: Outcome): readonly Reason[] =>
      outcome.reasons.map((reason) => ({
        ...reason,
        text: `${reason.text}; ${outcome.score === score ? "the lowest counts" : "not the lowest, so it does not count"}`,
      }));
    return { score, reasons: score === 100 ? outcomes.flatMap(({ reasons }) => reasons) : outcomes.flatMap(mark) };
  };
}

function curve<Field extends string>(
  name: string,
  field: Field,
  points: readonly Point[],
  { label = field, unit }: CurveOptions,
  scale: (input: number) => number,
): Scorer<Record<Field, number>> {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last || rest.some(([input], index) => !(input > (points[index]?.[0] ?? Number.NaN)))) {
    throw new MaturityError("invalid-scorecard", `${name}: needs at least two points, by rising input`);
  }
  if (!points.every(([input]) => Number.isFinite(input))) {
    throw new MaturityError("invalid-scorecard", `${name}: the input of every point is a finite number`);
  }
  if (!points.every(([, score]) => Number.isFinite(score) && score >= 0 && score <= 100)) {
    throw new MaturityError("invalid-scorecard", `${name}: the score of every point is from 0 to 100`);
  }
  const measure = (input: number) => (unit ? `${format(input)} ${unit}` : format(input));
  const below = `${measure(first[0])} or less scores ${first[1]}`;
  const above = `${measure(last[0])} or more scores ${last[1]}`;
  const lines = rest.map((high, index) => {
    const low = points[index] ?? first;
    return { low, high, text: `between ${measure(low[0])} (${low[1]}) and ${measure(high[0])} (${high[1]})` };
  });
  const read = (value: number): { score: number; text: string } => {
    if (value < first[0]) return { score: first[1], text: below };
    if (value > last[0]) return { score: last[1], text: above };
    const point = points.find(([input]) => input === value);
    if (point) return { score: point[1], text: `scores ${point[1]}` };
    const line = lines.find(({ high }) => value < high[0]);
    if (!line) return { score: Number.NaN, text: "is not a number" };
    const { low, high, text } = line;
    const part = (scale(value) - scale(low[0])) / (scale(high[0]) - scale(low[0]));
    return { score: low[1] + part * (high[1] - low[1]), text };
  };
  return (raw) => {
    const value = raw[field];
    const { score, text } = read(value);
    return { score, reasons: [{ field, value, text: `${label} ${measure(value)}: ${text}` }] };
  };
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** `1,440`, `99.95`: as people write it, without rounding. Where `String` gives the same, it does so much faster. */
function format(value: number): string {
  const size = Math.abs(value);
  return value === 0 || (size >= 0.001 && size < 1000) ? String(value) : numbers.format(value);
}

/** What is left of a score after so many halvings, with two digits. */
function factor(halvings: number): string {
  const left = 2 ** -halvings;
  if (left < 0.001) return "less than 0.001";
  if (left >= 0.995) return "more than 0.99";
  return String(Number(left.toPrecision(2)));
}
