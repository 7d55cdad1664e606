import { type Bends, bendsOf } from "./curve.ts";
import type { Engine } from "./engine.ts";
import { bestOf, directed, findReach, fractionsNear, type InputChange, nearest } from "./reach.ts";
import { noticeable } from "./rounding.ts";
import type { AnyMetric, Input as DeclaredInput, Direction } from "./scorecard.ts";

/** The next better value of one input, with all others unchanged. */
export interface Step {
  /** Name of the raw input field. */
  readonly field: string;
  /** Its value. */
  readonly from: number | boolean;
  /** One finding fewer, the next corner of its curve, or else the nearest value that raises the score by 5 points. */
  readonly to: number | boolean;
  /** The score of the metric with that value, from 0 to 100. */
  readonly score: number;
  /** By how many points the score of the application rises. */
  readonly appGain: number;
}

/** Better values of several inputs, none of which is enough alone. */
export interface JointStep {
  /** The values nearest to those reported that together bring the metric to 50, or to 100 where it has 50 already. */
  readonly inputs: readonly Omit<InputChange, "direction">[];
  /** The score of the metric with those values, from 0 to 100. */
  readonly score: number;
  /** By how many points the score of the application rises. */
  readonly appGain: number;
}

type Raw = Readonly<Record<string, unknown>>;

/** A result with its score. */
interface Scored {
  readonly raw: Raw;
  readonly score: number;
}

/** What several inputs have to reach together. */
const half = 50;

/** How far the score must rise where nothing says which value comes next. */
const stride = 5;

/** The next value of each input, with the score of the metric; without the inputs that have no next value. */
export function nextValues(
  engine: Engine,
  scorecard: string,
  metric: AnyMetric,
  { raw, score: stored }: Scored,
): Omit<Step, "appGain">[] {
  const scoreOf = (values: Raw): number | undefined => {
    try {
      return engine.score(scorecard, metric.name, values).score;
    } catch {
      return undefined; // a value the metric refuses is none to recommend
    }
  };
  const scored = scoreOf(raw);
  const base = Math.max(stored, scored ?? 100);
  if (base === 100) return [];
  const declared = directed(metric.inputs);
  const lean = leanOf(metric, raw, (inputs) => scoreOf(inputs) === scored);
  return declared.flatMap(([field, direction, { type, ...range }]) => {
    const from = raw[field];
    if (typeof from !== "boolean" && (typeof from !== "number" || !Number.isFinite(from))) return [];
    const bends = bendsOf(metric.score, field);
    const find = (others: Raw) => {
      const scores = new Map<number | boolean, number | undefined>();
      const scoreWith = (value: number | boolean) => {
        if (!scores.has(value)) scores.set(value, scoreOf({ ...others, [field]: value }));
        return scores.get(value);
      };
      const takes = (what: "flags" | "fractions", values: readonly (number | boolean)[]) =>
        values.length === 0 ||
        remember(metric, `${field} takes ${what}`, () => values.some((value) => scoreWith(value) !== undefined));
      const isFlag = () => takes("flags", [true]);
      const isWhole = (best: number) =>
        type === "integer" || (Number.isInteger(from) && !takes("fractions", fractionsNear(Number(from), best)));
      const to = nextValue({ from, direction, range, base, scoreWith, isFlag, isWhole, bends });
      // What is refused is never enough, so it is no next value.
      return to === undefined ? undefined : { field, from, to, score: scoreWith(to) as number };
    };
    const step = find(lean);
    const holds = lean === raw || !step || scoreOf({ ...raw, [field]: step.to }) === step.score;
    return (holds ? step : find(raw)) ?? [];
  });
}

/** The values of several inputs that are enough together, with the score of the metric. */
export function valuesTogether(
  engine: Engine,
  scorecard: string,
  metric: AnyMetric,
  { raw, score: stored }: Scored,
): Omit<JointStep, "appGain"> | undefined {
  const scoreOf = (values: Raw) => engine.score(scorecard, metric.name, values).score;
  try {
    const scored = scoreOf(raw);
    const base = Math.max(stored, scored);
    if (base === 100) return undefined;
    const enough = base < half ? half : 100;
    const lean = leanOf(metric, raw, (inputs) => scoreOf(inputs) === scored);
    const { together } = findReach(engine, scorecard, metric.name, lean, enough);
    if (together.length === 0) return undefined;
    const inputs = together.map(({ field, from, to }) => ({ field, from, to }));
    const score = scoreOf({ ...raw, ...Object.fromEntries(inputs.map(({ field, to }) => [field, to])) });
    return score >= enough ? { inputs, score } : undefined;
  } catch {
    return undefined; // a result that the rules of today refuse, or that needs more than its inputs
  }
}

/**
 * A result with more fields than this is tried without those that are no inputs, if they do not count: a result can have
 * thousands, and each trial reads them all.
 */
const manyFields = 50;

/** A result, without the fields that are no inputs where they are many and do not count. */
function leanOf({ inputs }: AnyMetric, raw: Raw, isSame: (inputs: Raw) => boolean): Raw {
  if (Object.keys(raw).length <= manyFields) return raw;
  const lean = Object.fromEntries(directed(inputs).flatMap(([field]) => (field in raw ? [[field, raw[field]]] : [])));
  return isSame(lean) ? lean : raw;
}

/** What the inputs of a metric take. To find out takes longer than all else, since errors are slow to make. */
const taken = new WeakMap<AnyMetric, Map<string, boolean>>();

function remember(metric: AnyMetric, question: string, find: () => boolean): boolean {
  const known = taken.get(metric) ?? new Map<string, boolean>();
  taken.set(metric, known);
  const answer = known.get(question) ?? find();
  known.set(question, answer);
  return answer;
}

interface Input {
  readonly from: number | boolean;
  readonly direction: Direction;
  readonly range: Pick<DeclaredInput, "min" | "max">;
  /** The score to exceed. */
  readonly base: number;
  /** The score of the metric with another value; undefined where the metric refuses the value. */
  scoreWith(value: number | boolean): number | undefined;
  /** Does the input take true and false? */
  isFlag(): boolean;
  /** Does the input take whole numbers only, on the way to its best value? */
  isWhole(best: number): boolean;
  readonly bends: Bends;
}

function nextValue({
  from,
  direction,
  range,
  base,
  scoreWith,
  isFlag,
  isWhole,
  bends,
}: Input): number | boolean | undefined {
  const accepts = (value: number | boolean) => scoreWith(value) !== undefined;
  const raisesBy = (points: number) => (value: number | boolean) =>
    (scoreWith(value) ?? -1) >= Math.min(100, base + points);
  const isEnough = raisesBy(noticeable);
  const isHigher = direction === "higher";
  if (typeof from === "boolean" || ((from === 0 || from === 1) && isFlag())) {
    return isEnough(isHigher) ? isHigher : undefined;
  }
  if (bends.only) {
    const ahead = bends.corners.filter((corner) => (isHigher ? corner > from : corner < from));
    return ahead.sort((a, b) => Math.abs(a - from) - Math.abs(b - from)).find(isEnough);
  }
  const best = bestOf(from, direction, accepts, range, bends);
  if (!isEnough(best)) return undefined;
  if (isWhole(best)) {
    const oneFurther = from + (isHigher ? 1 : -1);
    return isEnough(oneFurther) ? oneFurther : nearest(from, best, true, isEnough);
  }
  const isStride = raisesBy(stride);
  return isStride(best) ? nearest(from, best, false, isStride) : best;
}
