import type { Input, ScoreFunction } from "./scorecard.ts";

/** The properties of a function that a curve of this package made. */
export interface Curve {
  /** What its shape says of each of its inputs, in the order of its reasons. */
  readonly inputs: Readonly<Record<string, Input>>;
  /** Where a curve of one field bends, if it is straight or flat elsewhere: the inputs of its points. */
  readonly corners?: readonly number[];
  /** The functions of which the lowest counts. */
  readonly parts?: readonly ScoreFunction<never>[];
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

/** What is known of the bends of a function in one field. */
export interface Bends {
  readonly corners: readonly number[];
  /** Whether the next better score lies at a corner, and nothing changes beyond them. */
  readonly only: boolean;
}

/** The bends of a function in one field. A function of the author may read any field, and bend anywhere. */
export function bendsOf(scoreOf: ScoreFunction<never>, field: string): Bends {
  const curves = (curveOf(scoreOf)?.parts ?? [scoreOf]).map(curveOf);
  const reading = curves.filter((curve) => !curve || Object.hasOwn(curve.inputs, field));
  const corners = reading.flatMap((curve) => curve?.corners ?? []);
  return { corners, only: reading.every((curve) => curve?.corners) };
}

/** A curve without a field, for a metric with one input. `defineMetric` adds the field. */
export interface CurveOfOne<Value extends number | boolean> {
  readonly of: <Field extends string>(field: Field) => ScoreFunction<Record<Field, Value>>;
}
