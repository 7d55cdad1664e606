import { type Bends, bendsOf } from "./curve.ts";
import type { Engine } from "./engine.ts";
import type { AnyMetric, Input as DeclaredInput, Direction } from "./scorecard.ts";

/** The value that one input needs. */
export interface InputChange {
  /** Name of the raw input field. */
  readonly field: string;
  /** Its value. */
  readonly from: number | boolean;
  /** The value nearest to `from` that is enough, to about three digits. */
  readonly to: number | boolean;
  /** Whether values below `to` are enough too, or those above. */
  readonly direction: Direction;
}

/** The changes that would bring a score to a minimum. */
export interface Reach {
  /** Changes of one input; each is enough alone. */
  readonly alone: readonly InputChange[];
  /** If no single change is enough: changes that are enough together. Empty if nothing is enough. */
  readonly together: readonly InputChange[];
  /** The score with every input at its best, from 0 to 100. */
  readonly best: number;
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Finds the changes that bring a result to a minimum. It scores other values in the better direction of each input, and
 * relies on a check of `checkScorecard`: a better value never scores lower.
 *
 * @param minimum from 0 to 100; where `raw` scores as much already, there is nothing to change
 * @throws MaturityError `unknown-scorecard`, `unknown-metric`, `invalid-raw` or `scorer-failed`, as the engine does for `raw`
 */
export function findReach(engine: Engine, scorecard: string, metric: string, raw: Raw, minimum: number): Reach {
  const { score } = engine.score(scorecard, metric, raw);
  const scoreOf = (values: Raw): number | undefined => {
    try {
      return engine.score(scorecard, metric, values).score;
    } catch {
      return undefined; // a value the metric refuses is none to recommend
    }
  };
  const isEnough = (values: Raw) => (scoreOf(values) ?? -1) >= minimum;
  const declared = engine.scorecards
    .find(({ name }) => name === scorecard)
    ?.metrics.find(({ name }) => name === metric);
  const inputs = declared ? inputsOf(declared, raw, scoreOf) : [];
  const atBest = Object.fromEntries(inputs.map(({ field, best }) => [field, best]));
  const best = scoreOf({ ...raw, ...atBest }) ?? score;

  /** How far one input must go, the others being as given; undefined when it may stay, or even its best is not enough. */
  const change = ({ field, from, best, direction, search }: Input, others: Raw): InputChange | undefined => {
    const enough = (value: number | boolean) => isEnough({ ...others, [field]: value });
    if (enough(from) || !enough(best)) return undefined;
    return { field, from, to: search(enough), direction };
  };

  const alone = inputs.flatMap((input) => change(input, raw) ?? []);
  return { alone, together: alone.length > 0 ? [] : combine(), best };

  /** The inputs that gain most go to their best until that is enough; then each goes back as far as the others allow. */
  function combine(): InputChange[] {
    const gain = ({ field, best }: Input) => scoreOf({ ...raw, [field]: best }) ?? 0;
    const chosen: Input[] = [];
    let values = raw;
    for (const input of [...inputs].sort((a, b) => gain(b) - gain(a))) {
      if (isEnough(values)) break;
      chosen.push(input);
      values = { ...values, [input.field]: input.best };
    }
    return chosen.flatMap((input) => {
      const found = change(input, values);
      values = { ...values, [input.field]: found?.to ?? input.from };
      return found ?? [];
    });
  }
}

/** A value with a direction. */
interface Input {
  readonly field: string;
  readonly from: number | boolean;
  readonly best: number | boolean;
  readonly direction: Direction;
  /** The value nearest to `from` that is enough, where `best` is. */
  search(enough: (value: number | boolean) => boolean): number | boolean;
}

function inputsOf(metric: AnyMetric, raw: Raw, scoreOf: (values: Raw) => number | undefined): Input[] {
  return directed(metric.inputs).flatMap(([field, direction, { type, ...range }]): Input[] => {
    const from = raw[field];
    const accepts = (value: number | boolean) => scoreOf({ ...raw, [field]: value }) !== undefined;
    if (typeof from === "boolean" || ((from === 0 || from === 1) && accepts(true))) {
      const best = direction === "higher";
      return [{ field, from: Boolean(from), best, direction, search: () => best }];
    }
    if (typeof from !== "number" || !Number.isFinite(from)) return [];
    const best = bestOf(from, direction, accepts, range, bendsOf(metric.score, field));
    const search = (enough: (value: number) => boolean) => {
      const isWhole = type === "integer" || (Number.isInteger(from) && !fractionsNear(from, best).some(accepts));
      return nearest(from, best, isWhole, enough);
    };
    return [{ field, from, best, direction, search }];
  });
}

/** The inputs that have a direction. */
export function directed(
  inputs: AnyMetric["inputs"] = {},
): (readonly [field: string, direction: Direction, input: DeclaredInput])[] {
  return Object.entries(inputs).flatMap(([field, input]) => (input?.better ? [[field, input.better, input]] : []));
}

/**
 * Fractions beside a whole number, no further than the best value: an input that refuses them takes whole numbers only.
 * There are none where doubles have no fractions.
 */
export function fractionsNear(whole: number, best: number): number[] {
  const by = Math.min(0.5, Math.abs(best - whole) / 2 || 0.5);
  return [whole + by, whole - by].filter((value) => !Number.isInteger(value));
}

/**
 * The best value that is accepted: the end of the range that the metric declares, or else the last corner of its curve. Where
 * neither is there, the likely ones are tried: 0 where lower is better; where higher is, 1 and 100 for shares and percentages,
 * and up to forty times twice as much.
 */
export function bestOf(
  from: number,
  direction: Direction,
  accepts: (value: number) => boolean,
  { min, max }: Pick<DeclaredInput, "min" | "max"> = {},
  { corners, only }: Bends = { corners: [], only: false },
): number {
  const isLower = direction === "lower";
  const further = isLower ? Math.min : Math.max;
  const ends = [isLower ? min : max, only ? further(from, ...corners) : undefined];
  const end = ends.find((value) => value !== undefined && accepts(value));
  if (end !== undefined) return further(end, from);
  let best = from;
  const take = (value: number) => {
    const isBetter = further(value, best) !== best && Number.isFinite(value) && accepts(value);
    if (isBetter) best = value;
    return isBetter;
  };
  for (const likely of [...corners, ...(isLower ? [0] : [1, 100])]) take(likely);
  for (let doublings = isLower ? 0 : 40; doublings > 0 && take(best * 2); ) doublings--;
  return best;
}

/**
 * The value nearest to `from` that is enough: whole, or with about three digits of the distance to the best. It tries at most
 * 50 values, whatever the numbers are and whatever is enough.
 */
export function nearest(from: number, best: number, whole: boolean, enough: (value: number) => boolean): number {
  const magnitude = Math.floor(Math.log10(Math.min(Math.abs(from - best), Number.MAX_VALUE)));
  // Doubles of this size hold no smaller steps.
  const exponent = Math.max(whole ? 0 : Math.min(0, magnitude - 2), magnitude - 14, -300);
  const [scale, unit] = exponent < 0 ? [10 ** -exponent, 1] : [1, 10 ** exponent];
  const start = Math.round((best / unit) * scale);
  const sign = Math.sign(from - best);
  const [low, high] = [Math.min(from, best), Math.max(from, best)];
  const at = (steps: number) => Math.min(Math.max(low, ((start + sign * steps) / scale) * unit), high);
  let good = 0;
  let bad = Math.ceil(Math.abs((from / unit) * scale - start));
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (enough(at(middle))) good = middle;
    else bad = middle;
  }
  return good === 0 ? best : at(good);
}
