import type { Input, ScoreFunction } from "./scorecard.ts";

/** The properties of a function that a curve of this package made. */
export interface Curve {
  /** What its shape says of each of its inputs, in the order of its reasons. */
  readonly inputs: Readonly<Record<string, Input>>;
  /** Where it bends: the inputs of its points, by field. */
  readonly corners: ReadonlyMap<string, readonly number[]>;
  /** The same curve, whose reasons have the labels and units of these inputs. */
  worded(inputs: Readonly<Record<string, Input | undefined>>): ScoreFunction<never>;
}

const curves = new WeakMap<ScoreFunction<never>, Curve>();

/** Records the properties of a function, and returns the function. */
export function drawn<Raw extends object>(scoreOf: ScoreFunction<Raw>, curve: Curve): ScoreFunction<Raw> {
  curves.set(scoreOf, curve);
  return scoreOf;
}

/** The properties of a function; undefined for a function of the author. */
export function curveOf(scoreOf: ScoreFunction<never>): Curve | undefined {
  return curves.get(scoreOf);
}

/** A curve without a field, for a metric with one input. `defineMetric` adds the field. */
export interface CurveOfOne<Value extends number | boolean> {
  readonly of: <Field extends string>(field: Field) => ScoreFunction<Record<Field, Value>>;
}
