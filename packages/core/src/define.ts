import { refuse } from "./contract.ts";
import { type CurveOfOne, curveOf } from "./curve.ts";
import { schemaOf } from "./input-schema.ts";
import type { AnyMetric, Input, InputsOf, Metric, RawSchema, Scorecard, ScoreFunction } from "./scorecard.ts";

/** What an author says of a metric beside its inputs. The weight is 1 by default. */
type About<Name extends string> = Omit<AnyMetric<Name>, "weight" | "raw" | "score" | "inputs"> &
  Partial<Pick<AnyMetric, "weight">>;

/**
 * Completes a metric that checks its input with a validator of the author's own. Its function must take whatever the validator
 * lets pass, an optional field included. Its curve adds which values of an input are better, and the inputs give the
 * curve their labels and units. `createEngine` and `checkScorecard` check the metric.
 *
 * @throws MaturityError `invalid-scorecard` when a curve without a field is not given exactly one input
 */
export function defineMetric<Raw extends object, const Name extends string = string>(
  metric: About<Name> & {
    readonly raw: RawSchema<Raw>;
    readonly score: ScoreFunction<NoInfer<Raw>>;
    readonly inputs?: InputsOf<NoInfer<Raw>>;
  },
): Metric<Raw, Name>;
/**
 * Completes a metric without a validator: one is made of its inputs, each of which is required. A curve names its inputs
 * itself; `inputs` add their words and ranges.
 */
export function defineMetric<Raw extends object, const Name extends string = string>(
  metric: About<Name> & {
    readonly raw?: never;
    readonly score: ScoreFunction<Raw>;
    readonly inputs?: InputsOf<NoInfer<Raw>>;
  },
): Metric<Raw, Name>;
/** Completes a metric of one input, which `inputs` name. */
export function defineMetric<Field extends string, Value extends number | boolean, const Name extends string = string>(
  metric: About<Name> & {
    readonly raw?: never;
    readonly score: CurveOfOne<Value>;
    readonly inputs: { readonly [One in Field]: Input };
  },
): Metric<Record<Field, Value>, Name>;
export function defineMetric(
  metric: About<string> & {
    readonly raw?: RawSchema<object>;
    readonly score: ScoreFunction<never> | CurveOfOne<number> | CurveOfOne<boolean>;
    readonly inputs?: AnyMetric["inputs"];
  },
): AnyMetric {
  const { inputs: declared = {}, raw, score, ...about } = metric;
  const scoreOf = isCurveOfOne(score) ? score.of(onlyOne(metric.name, Object.keys(declared))) : score;
  const curve = curveOf(scoreOf);
  const inputs = complete(curve?.inputs ?? {}, declared, raw !== undefined);
  const names = Object.keys(inputs);
  return {
    weight: 1,
    ...about,
    // Where neither is there, `createEngine` says so by the metric's name.
    raw: raw ?? (names.length > 0 ? schemaOf(inputs) : (raw as never)),
    score: curve?.worded(inputs) ?? scoreOf,
    ...(names.length > 0 && { inputs }),
  };
}

/**
 * Completes a scorecard with the contract's version, and keeps name and version of `package`. `createEngine` and
 * `checkScorecard` check it.
 */
export function defineScorecard<const Name extends string, One extends AnyMetric>(
  scorecard: Omit<Scorecard<Name, One>, "contract">,
): Scorecard<Name, One> {
  const { package: from } = scorecard;
  // Where it is missing, `createEngine` says so by the scorecard's name.
  return { ...scorecard, contract: 1, package: from && { name: from.name, version: from.version } };
}

function isCurveOfOne(
  score: ScoreFunction<never> | CurveOfOne<number> | CurveOfOne<boolean>,
): score is CurveOfOne<number> | CurveOfOne<boolean> {
  return typeof score === "object" && score !== null && typeof score.of === "function";
}

function onlyOne(metric: string, [field, ...more]: readonly string[]): string {
  if (field !== undefined && more.length === 0) return field;
  refuse(metric, "a curve without a field reads the only input; name the field, or exactly one of `inputs`");
}

/** A validator of the author's own has bounds and types of its own, so that the curve adds the directions alone. */
function complete(
  curve: Readonly<Record<string, Input>>,
  declared: Readonly<Record<string, Input | undefined>>,
  hasValidator: boolean,
): Record<string, Input> {
  const inputs: Record<string, Input> = {};
  for (const field of new Set([...Object.keys(curve), ...Object.keys(declared)])) {
    const { better, ...shape } = curve[field] ?? {};
    inputs[field] = { ...(better && { better }), ...(!hasValidator && shape), ...declared[field] };
  }
  return inputs;
}
