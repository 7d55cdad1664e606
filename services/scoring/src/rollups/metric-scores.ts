import type { DatedScore, InOrder } from "@maturity/core";

/** Dated scores in the order of the scorecards and their metrics; undefined where nothing was reported. */
export type MetricScores = InOrder<DatedScore> & Iterable<DatedScore | undefined>;

/**
 * The dated scores of an application, kept as numbers: hundreds of thousands of small objects would be what the garbage
 * collector mostly copies. It makes an object for each that is asked for.
 */
export class NumberedScores implements MetricScores {
  readonly length: number;
  /** The score and the time of each metric, by turns; not a number where nothing was reported. */
  readonly #numbers: number[];

  /** @param length the number of metrics */
  constructor(length: number) {
    this.length = length;
    this.#numbers = new Array<number>(2 * length).fill(Number.NaN);
  }

  /** @param time in milliseconds since 1970 */
  set(index: number, score: number, time: number): void {
    this.#numbers[2 * index] = score;
    this.#numbers[2 * index + 1] = time;
  }

  /** Also undefined for an index that no metric has, such as -1. */
  at(index: number): DatedScore | undefined {
    const [score = Number.NaN, reported_at = Number.NaN] = [this.#numbers[2 * index], this.#numbers[2 * index + 1]];
    return Number.isNaN(score) ? undefined : { score, reported_at };
  }

  *[Symbol.iterator](): Generator<DatedScore | undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}
