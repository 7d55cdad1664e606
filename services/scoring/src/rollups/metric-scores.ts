import type { DatedScore, InOrder } from "@maturity/core";

/** Dated scores in the order of the scorecards and their metrics; undefined where nothing was reported. */
export type MetricScores = InOrder<DatedScore> & Iterable<DatedScore | undefined>;

/** When the oldest of these results was measured; null if there are none. */
export function oldestReportedAt(scores: MetricScores): Date | null {
  let oldest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < scores.length; index++) {
    oldest = Math.min(oldest, Number(scores.at(index)?.reported_at ?? oldest));
  }
  return oldest === Number.POSITIVE_INFINITY ? null : new Date(oldest);
}

/** How many applications share a block of numbers. */
const appsPerBlock = 100;

/** Makes a function that makes the scores of an application that has reported nothing yet. */
export function createNumberedScores(metrics: number): () => NumberedScores {
  let block = new Float64Array();
  let start = 0;
  return () => {
    if (start === block.length) {
      block = new Float64Array(2 * metrics * appsPerBlock).fill(Number.NaN);
      start = 0;
    }
    const scores = new NumberedScores(metrics, block, start);
    start += 2 * metrics;
    return scores;
  };
}

/**
 * The dated scores of an application, kept as numbers in a block that the garbage collector neither moves nor searches:
 * it would spend most of its time on hundreds of thousands of small objects. An object is made for each that is asked for.
 */
export class NumberedScores implements MetricScores {
  readonly length: number;
  /** From `#start` on the score and the time of each metric, by turns; not a number where nothing was reported. */
  readonly #block: Float64Array;
  readonly #start: number;

  constructor(length: number, block: Float64Array, start: number) {
    this.length = length;
    this.#block = block;
    this.#start = start;
  }

  /** @param time in milliseconds since 1970 */
  set(index: number, score: number, time: number): void {
    this.#block[this.#start + 2 * index] = score;
    this.#block[this.#start + 2 * index + 1] = time;
  }

  /** Also undefined for an index that no metric has, such as -1. */
  at(index: number): DatedScore | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const at = this.#start + 2 * index;
    const [score = Number.NaN, reported_at = Number.NaN] = [this.#block[at], this.#block[at + 1]];
    return Number.isNaN(score) ? undefined : { score, reported_at };
  }

  *[Symbol.iterator](): Generator<DatedScore | undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}
