import { type CurveOfOne, drawn } from "./curve.ts";
import { MaturityError } from "./errors.ts";
import { roundHalfUp } from "./rounding.ts";
import type { Direction, Input, Reason, ScoreFunction } from "./scorecard.ts";
import { writeCount, writeNumber, writerOf } from "./wording.ts";

/** A corner of a curve: at this input, this score (0–100). */
export type Point = readonly [input: number, score: number];

/**
 * Straight lines between the points, flat outside them. Its reasons read "`label` is 99.7 `unit`, which scores 87.5; the
 * score rises evenly from 75 at 99.5 …".
 *
 * @param field the numeric input it reads; left out where the metric has one input only
 * @param points at least two, by rising input; scores from 0 to 100
 * @throws MaturityError `invalid-scorecard` when the points are not that
 */
export function piecewise<Field extends string>(
  field: Field,
  points: readonly Point[],
): ScoreFunction<Record<Field, number>>;
export function piecewise(points: readonly Point[]): CurveOfOne<number>;
export function piecewise(...given: Given): ScoreFunction<Record<string, number>> | CurveOfOne<number> {
  return ofField(given, (field, points) => lines(`piecewise("${field}")`, field, points, straight));
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
): ScoreFunction<Record<Field, number>>;
export function logPiecewise(points: readonly Point[]): CurveOfOne<number>;
export function logPiecewise(...given: Given): ScoreFunction<Record<string, number>> | CurveOfOne<number> {
  return ofField(given, (field, points) => {
    const name = `logPiecewise("${field}")`;
    if (points.some(([input]) => !(input > 0))) {
      throw new MaturityError("invalid-scorecard", `${name}: every point needs an input above 0`);
    }
    return lines(name, field, points, logarithmic);
  });
}

type Given = [field: string, points: readonly Point[]] | [points: readonly Point[]];

function ofField(
  [first, points]: Given,
  draw: (field: string, points: readonly Point[]) => ScoreFunction<Record<string, number>>,
): ScoreFunction<Record<string, number>> | CurveOfOne<number> {
  if (typeof first === "string") return draw(first, points as readonly Point[]);
  draw("", first); // points that make no curve are refused where they are written
  return { of: (field) => draw(field, first) };
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

/** The points that decide a score on the curve. */
type Rule = Required<Pick<Reason, "text" | "code" | "values">>;

function lines(
  name: string,
  field: string,
  points: readonly Point[],
  scale: Scale,
): ScoreFunction<Record<string, number>> {
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
  const better = directionOf(points.map(([, score]) => score));
  return worded({});

  function worded({ label = field, unit }: Input): ScoreFunction<Record<string, number>> {
    const write = writerOf(unit);
    const read = reader(points as readonly [Point, ...Point[]], scale, write);
    const scoreOf: ScoreFunction<Record<string, number>> = (raw) => {
      const value = raw[field] as number;
      const { score, rule } = read(value);
      if (!rule) return { score, reasons: [{ field, value, text: `${label} is not a number` }] };
      const shown = roundHalfUp(score);
      const text = `${label} is ${write(value)}, which scores ${shown}; ${rule.text}`;
      const { code, values } = rule;
      return { score, reasons: [{ field, value, text, code, values: { score: shown, ...values } }] };
    };
    return drawn(scoreOf, {
      inputs: { [field]: better ? { better } : {} },
      corners: points.map(([input]) => input),
      worded: (inputs) => worded(inputs[field] ?? {}),
    });
  }
}

/** Where the scores only rise or only fall, the better end. */
function directionOf(scores: readonly number[]): Direction | undefined {
  const steps = scores.slice(1).map((score, index) => Math.sign(score - (scores[index] ?? score)));
  const directions = new Set(steps.filter((step) => step !== 0));
  if (directions.size !== 1) return undefined;
  return directions.has(1) ? "higher" : "lower";
}

/** Reads a score from the lines between the points. */
function reader(
  points: readonly [Point, ...Point[]],
  scale: Scale,
  write: (value: number) => string,
): (value: number) => { readonly score: number; readonly rule?: Rule } {
  const [first, ...rest] = points;
  const last = rest.at(-1) ?? first;
  const between = rest.map((high, index) => ({ low: points[index] ?? first, high }));
  const rules = between.map(({ low, high }): Rule => {
    const ends = [write(low[0]), write(high[0])] as const;
    const values = { from: low[0], from_score: low[1], to: high[0], to_score: high[1] };
    if (low[1] === high[1]) {
      const text = `the score stays at ${writeNumber(low[1])} from ${ends[0]} to ${ends[1]}`;
      return { text, code: "stays", values };
    }
    const path = `from ${writeNumber(low[1])} at ${ends[0]} to ${writeNumber(high[1])} at ${ends[1]}`;
    const code = high[1] > low[1] ? "rises" : "falls";
    return { text: `the score ${scale.rule(low, high, path)}`, code, values };
  });
  /** At a point the rule is that of the line which leads to the better score. */
  const corners = new Map(
    points.map(([input, score], index) => {
      const [before, after] = [points[index - 1]?.[1] ?? -1, points[index + 1]?.[1] ?? -1];
      return [input, { score, rule: (after > before ? rules[index] : rules[index - 1]) as Rule }] as const;
    }),
  );
  /** Beyond an outer point the score stays: as good as it gets there, or as bad. */
  const outside = ([bound, score]: Point, line: number, side: "less" | "more") => {
    const { low, high } = between[line] ?? { low: first, high: last };
    const isBest = Math.min(low[1], high[1]) < score;
    const text = `${write(bound)} or ${side} is enough for that`;
    const best: Rule = { text, code: "enough", values: { bound, side } };
    return { score, rule: isBest ? best : (rules[line] as Rule) };
  };
  const below = outside(first, 0, "less");
  const above = outside(last, between.length - 1, "more");
  return (value) => {
    if (value < first[0]) return below;
    if (value > last[0]) return above;
    const corner = corners.get(value);
    if (corner) return corner;
    const line = between.findIndex(({ high }) => value < high[0]);
    const { low, high } = between[line] ?? { low: first, high: first };
    const part = (scale.of(value) - scale.of(low[0])) / (scale.of(high[0]) - scale.of(low[0]));
    return line < 0 ? { score: Number.NaN } : { score: low[1] + part * (high[1] - low[1]), rule: rules[line] as Rule };
  };
}
