import { MaturityError } from "./errors.ts";
import { roundHalfUp } from "./rounding.ts";
import type { Outcome, Reason, Scorer } from "./scorecard.ts";
import { type Unit, writeCount, writeNumber, writerOf, writeShare } from "./wording.ts";

/** A corner of a curve: at this input, this score (0–100). */
export type Point = readonly [input: number, score: number];

/** The words of a curve's reasons: "`label` is 99.7 `unit`, which scores 87.5; the score rises evenly from 75 at 99.5 …". */
export interface CurveOptions {
  /** The subject, in the singular and with its article: `the time to recover`. Default: the name of the field. */
  readonly label?: string;
  /** How inputs are written: `"ms"`, `["replica", "replicas"]`, `minutesAsTime`. Default: the number alone. */
  readonly unit?: Unit;
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
  return curve(`piecewise("${field}")`, field, points, options, straight);
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
  return curve(name, field, points, options, logarithmic);
}

/** The words of the reasons of `halving`: "3 `field` `noun` leave 66 % of the score; every 5 of them halve it". */
export interface HalvingOptions {
  /** What is counted, behind the name of the field. Default: `["finding", "findings"]`. */
  readonly noun?: readonly [singular: string, plural: string];
}

/**
 * 100 · 2^−Σ(count / halvedBy): under each field stands how many of it halve the score. The first ones cost most, and no
 * number of them is free. Its reasons keep the order of the fields, so put the gravest first. Each one after the first says
 * which share it leaves of what the ones before it left.
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
    const words = field.replaceAll("_", " ");
    const enough = number === 1 ? "each one" : `every ${writeNumber(number)} of them`;
    return {
      field,
      number,
      noun: [`${words} ${one}`, `${words} ${many}`] as const,
      rule: `${enough} ${number === 1 ? "halves" : "halve"} it`,
      none: { field, value: 0, text: `0 ${words} ${many} leave the score at 100; ${enough} would halve it` },
    };
  });
  return (raw) => {
    let halvings = 0;
    const reasons: Reason[] = [];
    for (const { field, number, noun, rule } of costs) {
      const count = raw[field];
      if (count === 0) continue;
      const cost = count / number;
      halvings += cost;
      const leaves = `${writeCount(count, noun)} ${count === 1 ? "leaves" : "leave"} ${writeShare(2 ** -cost)}`;
      const whole = reasons.length === 0 ? "the score" : "the remaining score";
      reasons.push({ field, value: count, text: `${leaves} of ${whole}; ${rule}` });
    }
    if (reasons.length === 0) return { score: 100, reasons: costs.map(({ none }) => ({ ...none })) };
    return { score: 100 * 2 ** -halvings, reasons };
  };
}

/**
 * A flag: 100 when it has the passing value, 0 otherwise. Its reason says what is so and what would be otherwise: "no health
 * endpoint is exposed, which scores 0; the score is 100 when a health endpoint is exposed".
 *
 * @param outcome the value that passes, and for either case a clause that says what is so: `a health endpoint is exposed`
 */
export function passFail<Field extends string>(
  field: Field,
  { passes, pass, fail }: { readonly passes: boolean; readonly pass: string; readonly fail: string },
): Scorer<Record<Field, boolean>> {
  const passed = `${pass}, which scores 100; the score is 0 when ${fail}`;
  const failed = `${fail}, which scores 0; the score is 100 when ${pass}`;
  return (raw) => {
    const value = raw[field];
    const isPassed = value === passes;
    return { score: isPassed ? 100 : 0, reasons: [{ field, value, text: isPassed ? passed : failed }] };
  };
}

/** What all of these scorers take: the inputs of each. */
export type InputOfAll<Scorers extends readonly Scorer<never>[]> = Scorers[number] extends (
  raw: infer Raw extends object,
) => Outcome
  ? Raw
  : never;

/** The curves of each scorer that `lowestOf` made. */
const partsOf = new WeakMap<Scorer<never>, readonly Scorer<never>[]>();

/** Where a curve bends: the inputs of its points, by field. A scorer that these curves did not make has none. */
export function cornersOf(scorer: Scorer<never>): ReadonlyMap<string, readonly number[]> {
  const corners = new Map<string, readonly number[]>();
  for (const part of partsOf.get(scorer) ?? [scorer]) {
    const { field, inputs } = bends.get(part) ?? { field: "", inputs: [] };
    corners.set(field, [...(corners.get(field) ?? []), ...inputs]);
  }
  return corners;
}

/** The field that a curve reads, and the inputs of its points. */
const bends = new WeakMap<Scorer<never>, { readonly field: string; readonly inputs: readonly number[] }>();

/**
 * The lowest of several curves counts, so that a good value of one cannot hide a bad value of another. Its reasons are
 * those of all curves, the lowest first, and say which one counts unless all score 100. The lowest of the lowest is that of all curves.
 *
 * @param scorers at least one
 * @throws MaturityError `invalid-scorecard` when there is none
 */
export function lowestOf<Scorers extends readonly Scorer<never>[]>(...scorers: Scorers): Scorer<InputOfAll<Scorers>> {
  if (scorers.length === 0) throw new MaturityError("invalid-scorecard", "lowestOf: needs at least one curve");
  const parts = scorers.flatMap((scorer) => partsOf.get(scorer) ?? [scorer]);
  const lowest: Scorer<InputOfAll<Scorers>> = (raw) => {
    // The input of all is also the input of each, which the compiler cannot see.
    const outcomes = parts.map((score) => score(raw as never)).sort((a, b) => a.score - b.score);
    const score = Math.min(...outcomes.map((outcome) => outcome.score));
    const mark = (outcome: Outcome): readonly Reason[] => {
      const role =
        outcome.score === score ? "counts because no other is lower" : "does not count because another is lower";
      return outcome.reasons.map((reason) => ({ ...reason, text: `${reason.text}; this score ${role}` }));
    };
    return { score, reasons: score === 100 ? outcomes.flatMap(({ reasons }) => reasons) : outcomes.flatMap(mark) };
  };
  partsOf.set(lowest, parts);
  return lowest;
}

/** How the score moves between two points: by numbers, and in words. */
interface Scale {
  readonly of: (input: number) => number;
  /** @param path the two points: `from 100 at 60 ms to 80 at 90 ms` */
  readonly rule: (low: Point, high: Point, path: string) => string;
}

const straight: Scale = {
  of: (input) => input,
  rule: (low, high, path) => `${high[1] > low[1] ? "rises" : "falls"} evenly ${path}`,
};

const logarithmic: Scale = {
  of: Math.log,
  rule(low, high, path) {
    const moves = `${high[1] > low[1] ? "rises" : "falls"} ${path}`;
    const factor = high[0] / low[0];
    if (factor < 2) return moves;
    const step = (Math.abs(high[1] - low[1]) * Math.LN2) / Math.log(factor);
    return `${moves}, by ${writeCount(Number(step.toPrecision(3)), ["point", "points"])} with every doubling`;
  },
};

function curve<Field extends string>(
  name: string,
  field: Field,
  points: readonly Point[],
  { label = field, unit }: CurveOptions,
  scale: Scale,
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
  const write = writerOf(unit);
  const lines = rest.map((high, index) => {
    const low = points[index] ?? first;
    const ends = [write(low[0]), write(high[0])] as const;
    const rule =
      low[1] === high[1]
        ? `stays at ${writeNumber(low[1])} from ${ends[0]} to ${ends[1]}`
        : scale.rule(low, high, `from ${writeNumber(low[1])} at ${ends[0]} to ${writeNumber(high[1])} at ${ends[1]}`);
    return { low, high, rule: `the score ${rule}` };
  });
  /** At a point the rule is that of the line which leads to the better score. */
  const corners = points.map(([input, score], index) => {
    const [before, after] = [points[index - 1]?.[1] ?? -1, points[index + 1]?.[1] ?? -1];
    return { input, score, rule: (after > before ? lines[index] : lines[index - 1])?.rule };
  });
  /** Beyond an outer point the score stays: as good as it gets there, or as bad. */
  const outside = ([input, score]: Point, line: (typeof lines)[number] | undefined, side: string) => {
    const isBest = line && Math.min(line.low[1], line.high[1]) < score;
    return { score, rule: isBest ? `${write(input)} or ${side} is enough for that` : line?.rule };
  };
  const below = outside(first, lines[0], "less");
  const above = outside(last, lines.at(-1), "more");
  const read = (value: number): { score: number; rule?: string | undefined } => {
    if (value < first[0]) return below;
    if (value > last[0]) return above;
    const corner = corners.find(({ input }) => input === value);
    if (corner) return corner;
    const line = lines.find(({ high }) => value < high[0]);
    if (!line) return { score: Number.NaN };
    const { low, high, rule } = line;
    const part = (scale.of(value) - scale.of(low[0])) / (scale.of(high[0]) - scale.of(low[0]));
    return { score: low[1] + part * (high[1] - low[1]), rule };
  };
  const scorer: Scorer<Record<Field, number>> = (raw) => {
    const value = raw[field];
    const { score, rule } = read(value);
    const text = rule
      ? `${label} is ${write(value)}, which scores ${roundHalfUp(score)}; ${rule}`
      : `${label} is not a number`;
    return { score, reasons: [{ field, value, text }] };
  };
  bends.set(scorer, { field, inputs: points.map(([input]) => input) });
  return scorer;
}
