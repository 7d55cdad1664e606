import {
  halving,
  logPiecewise,
  lowestOf,
  type PassOrFail,
  passFail,
  piecewise,
  type ScoreFunction,
} from "@maturity/core";
import type { CurveDeclaration, FlagDeclaration, InputDeclarations } from "./declaration.ts";

/** The curves of which a curve is made: those of its `lowest_of`, or itself. */
export function partsOf(curve: CurveDeclaration): readonly CurveDeclaration[] {
  return curve.lowest_of ?? [curve];
}

/** What a curve reads of a field. */
export interface Use {
  readonly field: string;
  readonly as: "number" | "count" | "flag";
}

/** The fields that a curve reads, as often as it reads them. */
export function usesOf(curve: CurveDeclaration): readonly Use[] {
  return partsOf(curve).flatMap(({ piecewise, log_piecewise, halving, pass_fail }): Use[] => [
    ...[piecewise, log_piecewise].flatMap((points) => (points ? [{ field: points.field, as: "number" } as const] : [])),
    ...Object.keys(halving ?? {}).map((field) => ({ field, as: "count" }) as const),
    ...(pass_fail ? [{ field: pass_fail.field, as: "flag" } as const] : []),
  ]);
}

/**
 * The function of a declared curve.
 *
 * @throws MaturityError `invalid-scorecard`
 */
export function scorerOf(curve: CurveDeclaration, inputs: InputDeclarations): ScoreFunction<never> {
  const functions = partsOf(curve).map((part) => plainFunction(part, inputs));
  return curve.lowest_of || !functions[0] ? lowestOf(...functions) : functions[0];
}

function plainFunction(curve: CurveDeclaration, inputs: InputDeclarations): ScoreFunction<never> {
  const { piecewise: straight, log_piecewise: logarithmic, halving: halvedBy, pass_fail: flag } = curve;
  if (straight) return piecewise(straight.field, straight.points);
  if (logarithmic) return logPiecewise(logarithmic.field, logarithmic.points);
  if (flag) return passFail(flag.field, outcomeOf(flag, inputs));
  return halving(halvedBy ?? {});
}

/** The clauses of a flag. */
export function outcomeOf(
  { field, passes = true, pass, fail }: FlagDeclaration,
  inputs: InputDeclarations,
): PassOrFail {
  const { label = field } = inputs[field] ?? {};
  return { passes, pass: pass ?? `${label} is ${passes}`, fail: fail ?? `${label} is ${!passes}` };
}
