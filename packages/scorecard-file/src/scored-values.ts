import { createEngine, type Engine } from "@maturity/core";
import { type CurveDeclaration, type MetricDeclaration, partsOf, type ScorecardFile } from "./index.ts";

/** A value of an input with the score that it gets. */
export interface ScoredValue {
  readonly metric: string;
  readonly field: string;
  readonly value: number | boolean;
  readonly score: number;
}

/**
 * What a scorecard makes of the values at which its curves bend, and of those between. The other inputs of a metric are as in
 * its case with the highest score.
 */
export function scoredValues({ scorecard, declaration }: ScorecardFile): ScoredValue[] {
  const engine: Engine = createEngine([scorecard]);
  return declaration.metrics.flatMap((metric) => {
    const best = metric.cases.reduce((best, one) => (one.score > best.score ? one : best));
    return [...valuesOf(metric)].flatMap(([field, values]) =>
      [...values].flatMap((value) => {
        const raw = { ...best.raw, [field]: value };
        return isTaken(metric, field, value)
          ? [{ metric: metric.name, field, value, score: engine.score(scorecard.name, metric.name, raw).score }]
          : [];
      }),
    );
  });
}

function isTaken({ inputs }: MetricDeclaration, field: string, value: number | boolean): boolean {
  const { min = -Infinity, max = Infinity } = (inputs && Object.hasOwn(inputs, field) && inputs[field]) || {};
  return typeof value === "boolean" || (value >= min && value <= max);
}

/** The values to try of each field: numbers by size. */
function valuesOf({ curve }: MetricDeclaration): ReadonlyMap<string, ReadonlySet<number | boolean>> {
  const all = partsOf(curve).flatMap(valuesOfPlain);
  const fields = new Set(all.map(([field]) => field));
  return new Map(
    [...fields].map((field) => {
      const own = all.flatMap(([one, values]) => (one === field ? values : []));
      return [field, new Set(own.toSorted((one, other) => Number(one) - Number(other)))] as const;
    }),
  );
}

function valuesOfPlain(curve: CurveDeclaration): readonly (readonly [string, readonly (number | boolean)[]])[] {
  const { piecewise, log_piecewise, halving, pass_fail } = curve;
  if (pass_fail) return [[pass_fail.field, [false, true]]];
  if (halving)
    return Object.entries(halving).map(([field, by]) => [field, [0, 1, 2, 4].map((times) => Math.ceil(times * by))]);
  const between = piecewise
    ? (one: number, other: number) => (one + other) / 2
    : (one: number, other: number) => Math.sqrt(one * other);
  const { field = "", points = [] } = piecewise ?? log_piecewise ?? {};
  const inputs = points.map(([input]) => input);
  const middles = inputs.slice(1).map((input, index) => Number(between(inputs[index] ?? input, input).toPrecision(3)));
  return [[field, [...inputs, ...middles]]];
}
