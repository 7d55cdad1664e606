import { type ByMetric, inOrder, type MetricIds, markedInOrder } from "./by-metric.ts";
import type { Engine } from "./engine.ts";
import { type JointStep, nextValues, type Step, valuesTogether } from "./next-values.ts";
import { type DatedScore, rollUpInOrder } from "./roll-up.ts";
import type { Scorecard } from "./scorecard.ts";

/** A score with its age and its result. */
export interface ScoredRaw extends DatedScore {
  readonly raw: Readonly<Record<string, unknown>>;
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
