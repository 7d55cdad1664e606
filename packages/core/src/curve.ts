import type { Input, Scorer } from "./scorecard.ts";

/** The properties of a scorer that a curve of this package made. */
export interface Curve {
  /** What its shape says of each of its inputs, in the order of its reasons. */
  readonly inputs: Readonly<Record<string, Input>>;
  /** Where it bends: the inputs of its points, by field. */
  readonly corners: ReadonlyMap<string, readonly number[]>;
  /** The same curve, whose reasons have the labels and units of these inputs. */
  worded(inputs: Readonly<Record<string, Input | undefined>>): Scorer<never>;
}

const curves = new WeakMap<Scorer<never>, Curve>();

/** Records the properties of a scorer, and returns the scorer. */
export function drawn<Raw extends object>(scorer: Scorer<Raw>, curve: Curve): Scorer<Raw> {
  curves.set(scorer, curve);
  return scorer;
}

/** The properties of a scorer; undefined for a function of the author. */
export function curveOf(scorer: Scorer<never>): Curve | undefined {
  return curves.get(scorer);
}

const noCorners: ReadonlyMap<string, readonly number[]> = new Map();

/** Where a scorer bends, by field. */
export function cornersOf(scorer: Scorer<never>): ReadonlyMap<string, readonly number[]> {
  return curveOf(scorer)?.corners ?? noCorners;
}

/** A curve without a field, for a metric with one input. `defineMetric` adds the field. */
export interface CurveOfOne<Value extends number | boolean> {
  readonly of: <Field extends string>(field: Field) => Scorer<Record<Field, Value>>;
}
