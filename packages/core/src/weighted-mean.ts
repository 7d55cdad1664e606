/** A rolled-up score. */
export interface Rolled {
  /** From 0 to 100, not rounded. */
  readonly score: number;
  /** The share of the weight that reported, of what is not waived, above 0 and up to 1: silence lowers it. */
  readonly coverage: number;
  /** The share of the weight that reported and is not stale, from 0 up to the coverage: old evidence lowers it. */
  readonly freshCoverage: number;
  /** The share of the whole weight that is waived, from 0 to below 1. */
  readonly waived: number;
}

/**
 * Weighted sums over the metrics of a scorecard, or over the scorecards of an application. A service rolls up tens of
 * thousands of applications at a time, so a part is added as it comes, and none is kept.
 */
export interface Sums {
  /** The weight of all parts. */
  weight: number;
  /** That of the parts of which anything counts. */
  counting: number;
  /** That of the parts with a score. */
  reported: number;
  score: number;
  coverage: number;
  freshCoverage: number;
  waived: number;
}

/** Sums of nothing yet. */
export function noParts(): Sums {
  return { weight: 0, counting: 0, reported: 0, score: 0, coverage: 0, freshCoverage: 0, waived: 0 };
}

/**
 * Adds a part to the sums.
 *
 * @param score undefined when nothing of the part that counts reported
 * @param counts is anything of it not waived?
 */
export function addPart(
  sums: Sums,
  weight: number,
  score: number | undefined,
  coverage: number,
  freshCoverage: number,
  waived: number,
  counts: boolean,
): void {
  sums.weight += weight;
  if (counts) sums.counting += weight;
  if (score !== undefined) {
    sums.reported += weight;
    sums.score += weight * score;
  }
  sums.coverage += weight * coverage;
  sums.freshCoverage += weight * freshCoverage;
  sums.waived += weight * waived;
}

/** The score over the parts that have one, the coverages over all that count, and what is waived over all. */
export function meanOf(sums: Sums): Omit<Rolled, "score"> & { readonly score: number | undefined } {
  const { weight, counting, reported } = sums;
  return {
    // With fractional weights the division can end a hair above 100.
    score: reported === 0 ? undefined : Math.min(sums.score / reported, 100),
    coverage: counting === 0 ? 0 : sums.coverage / counting,
    freshCoverage: counting === 0 ? 0 : sums.freshCoverage / counting,
    waived: weight === 0 ? 0 : sums.waived / weight,
  };
}
