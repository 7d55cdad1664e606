import { type ByMetric, inOrder, type MetricIds, markedInOrder } from "./by-metric.ts";
import { cornersOf } from "./curve.ts";
import type { Engine } from "./engine.ts";
import { bestOf, directed, findReach, type InputChange, nearest } from "./reach.ts";
import { type DatedScore, rollUpInOrder } from "./roll-up.ts";
import type { AnyMetric, Input as DeclaredInput, Direction, Scorecard } from "./scorecard.ts";

/** A score with its age and its result. */
export interface ScoredRaw extends DatedScore {
  readonly raw: Readonly<Record<string, unknown>>;
}

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

/** What an application loses by one metric. */
export interface MetricGain {
  readonly scorecard: string;
  readonly metric: string;
  /** The score that it has, below 100. */
  readonly score: number;
  /** By how many points the score of the application rises if the metric scores 100. */
  readonly appGain: number;
  /** By how many points the score of its scorecard rises then. */
  readonly scorecardGain: number;
  /** At most one step for each input, the largest gain first. Empty if no single input raises the score. */
  readonly steps: readonly Step[];
  /** The step of several inputs where no single one raises the score. Absent otherwise, and where they are not enough. */
  readonly together?: JointStep;
}

/** A metric that never reported. Its score is unknown, so it has no gain. */
export interface MissingMetric {
  readonly scorecard: string;
  readonly metric: string;
  /** By how much the share reported of the application rises once it reports, from 0 to 1. */
  readonly reported: number;
}

/** The gains of one application, in score and in share reported. */
export interface AppGain {
  /** The metrics below 100, the largest gain first. */
  readonly metrics: readonly MetricGain[];
  /** The metrics that never reported, the largest share first. */
  readonly missing: readonly MissingMetric[];
}

/** The smallest rise of a metric's score that a whole number shows. */
const noticeable = 0.5;

/** What several inputs have to reach together. */
const half = 50;

/** How far the score must rise where nothing says which value comes next. */
const stride = 5;

/**
 * Finds what an application gains by each metric below 100, and by the next value of each of its inputs, by running the
 * functions and the roll-up on other values. Effort is not guessed. It relies on what `checkScorecard` checks: that a better
 * value never scores lower. Values that the rules of today refuse, or score 100, have no steps.
 *
 * @param scores those of the metrics that reported, by `scorecard.metric`
 * @param at the time of the reading
 * @param excluded as for `rollUpApp`; what does not count neither gains nor is missing
 * @throws MaturityError `unknown-metric` when a score is of no metric of the engine
 * @throws RangeError when `at`, or `reported_at` of a metric that ages, is no time
 */
export function findGain<Card extends Scorecard>(
  engine: Engine<Card>,
  scores: ByMetric<Card, ScoredRaw>,
  at: Date,
  excluded: MetricIds = new Set(),
): AppGain {
  const { scorecards } = engine;
  const own = inOrder<ScoredRaw>(scorecards, scores);
  const found = [...eachGain(engine, own, at, markedInOrder(scorecards, excluded))];
  return {
    metrics: found.filter((one) => "steps" in one).sort((a, b) => b.appGain - a.appGain),
    missing: found.filter((one) => "reported" in one).sort((a, b) => b.reported - a.reported),
  };
}

/**
 * What `findGain` finds, metric by metric in the order of the scorecards, for a caller that does other work in between.
 *
 * @param scores as for `rollUpInOrder`
 * @param excluded as for `rollUpInOrder`
 * @throws RangeError as `rollUpInOrder` does
 */
export function* eachGain(
  engine: Engine,
  scores: readonly (ScoredRaw | undefined)[],
  at: Date,
  excluded: readonly (object | undefined)[] = [],
): Generator<MetricGain | MissingMetric, undefined> {
  const { scorecards } = engine;
  const now = partsOf(rollUpInOrder(scorecards, scores, at, excluded));
  let next = 0;
  for (const { name: scorecard, metrics } of scorecards) {
    for (const metric of metrics) {
      const index = next++;
      if (excluded[index]) continue;
      const own = scores[index];
      /** The application with another score of this metric. */
      const having = (score: number) =>
        partsOf(
          rollUpInOrder(
            scorecards,
            scores.with(index, { ...(own ?? { reported_at: at, raw: {} }), score }),
            at,
            excluded,
          ),
        );
      if (!own) {
        yield { scorecard, metric: metric.name, reported: having(0).reported - now.reported };
      } else if (own.score < 100) {
        const best = having(100);
        const steps = nextValues(engine, scorecard, metric, own);
        const together = steps.length === 0 ? valuesTogether(engine, scorecard, metric, own) : undefined;
        const rise = (score: number) => having(score).score - now.score;
        yield {
          scorecard,
          metric: metric.name,
          score: own.score,
          appGain: best.score - now.score,
          scorecardGain: best.scoreOf(scorecard) - now.scoreOf(scorecard),
          steps: steps.map((step) => ({ ...step, appGain: rise(step.score) })).sort((a, b) => b.appGain - a.appGain),
          ...(together && { together: { ...together, appGain: rise(together.score) } }),
        };
      }
    }
  }
}

/** Where nothing reported, everything is 0. */
function partsOf(app: ReturnType<typeof rollUpInOrder>) {
  const { score, reported, scorecards } = app ?? { score: 0, reported: 0, scorecards: [] };
  return { score, reported, scoreOf: (name: string) => scorecards.find((one) => one.scorecard === name)?.score ?? 0 };
}

/** The next value of each input, with the score of the metric; without the inputs that have no next value. */
function nextValues(
  engine: Engine,
  scorecard: string,
  metric: AnyMetric,
  { raw, score: stored }: ScoredRaw,
): Omit<Step, "appGain">[] {
  const scoreOf = (values: ScoredRaw["raw"]): number | undefined => {
    try {
      return engine.score(scorecard, metric.name, values).score;
    } catch {
      return undefined; // a value the metric refuses is none to recommend
    }
  };
  const scored = scoreOf(raw);
  const base = Math.max(stored, scored ?? 100);
  if (base === 100) return [];
  const corners = cornersOf(metric.score);
  const declared = directed(metric.inputs);
  const lean = leanOf(metric, raw, (inputs) => scoreOf(inputs) === scored);
  return declared.flatMap(([field, direction, { type, ...range }]) => {
    const from = raw[field];
    if (typeof from !== "number" && typeof from !== "boolean") return [];
    const find = (others: ScoredRaw["raw"]) => {
      const scores = new Map<number | boolean, number | undefined>();
      const scoreWith = (value: number | boolean) => {
        if (!scores.has(value)) scores.set(value, scoreOf({ ...others, [field]: value }));
        return scores.get(value);
      };
      const takes = (what: "flags" | "fractions", values: readonly (number | boolean)[]) =>
        remember(metric, `${field} takes ${what}`, () => values.some((value) => scoreWith(value) !== undefined));
      const isFlag = () => takes("flags", [true]);
      const isWhole = () =>
        type === "integer" || (Number.isInteger(from) && !takes("fractions", [Number(from) + 0.5, Number(from) - 0.5]));
      const to = nextValue({ from, direction, range, base, scoreWith, isFlag, isWhole, corners: corners.get(field) });
      // What is refused is never enough, so it is no next value.
      return to === undefined ? undefined : { field, from, to, score: scoreWith(to) as number };
    };
    const step = find(lean);
    const holds = lean === raw || !step || scoreOf({ ...raw, [field]: step.to }) === step.score;
    return (holds ? step : find(raw)) ?? [];
  });
}

/** The values of several inputs that are enough together, with the score of the metric. */
function valuesTogether(
  engine: Engine,
  scorecard: string,
  metric: AnyMetric,
  { raw, score: stored }: ScoredRaw,
): Omit<JointStep, "appGain"> | undefined {
  const scoreOf = (values: ScoredRaw["raw"]) => engine.score(scorecard, metric.name, values).score;
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
function leanOf(
  { inputs }: AnyMetric,
  raw: ScoredRaw["raw"],
  isSame: (inputs: ScoredRaw["raw"]) => boolean,
): ScoredRaw["raw"] {
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
  /** Does the input take whole numbers only? */
  isWhole(): boolean;
  /** Where the curve of the input bends. */
  readonly corners: readonly number[] | undefined;
}

function nextValue({
  from,
  direction,
  range,
  base,
  scoreWith,
  isFlag,
  isWhole,
  corners,
}: Input): number | boolean | undefined {
  const accepts = (value: number | boolean) => scoreWith(value) !== undefined;
  const raisesBy = (points: number) => (value: number | boolean) =>
    (scoreWith(value) ?? -1) >= Math.min(100, base + points);
  const isEnough = raisesBy(noticeable);
  const isHigher = direction === "higher";
  if (typeof from === "boolean" || ((from === 0 || from === 1) && isFlag())) {
    return isEnough(isHigher) ? isHigher : undefined;
  }
  if (corners) {
    const ahead = corners.filter((corner) => (isHigher ? corner > from : corner < from));
    return ahead.sort((a, b) => Math.abs(a - from) - Math.abs(b - from)).find(isEnough);
  }
  const oneFurther = from + (isHigher ? 1 : -1);
  if (isWhole() && isEnough(oneFurther)) return oneFurther;
  const best = bestOf(from, direction, accepts, range);
  if (!isEnough(best)) return undefined;
  if (isWhole()) return nearest(from, best, true, isEnough);
  const isStride = raisesBy(stride);
  return isStride(best) ? nearest(from, best, false, isStride) : best;
}
