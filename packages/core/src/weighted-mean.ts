import { roundMean } from "./rounding.ts";

/** A rolled-up score. */
export interface Rolled {
  /** From 0 to 100, twelve decimals. */
  readonly score: number;
  /** The share of the weight that reported, of what is neither waived nor exempt, above 0 and up to 1: silence lowers it. */
  readonly reported: number;
  /** The share of the weight that reported and is not stale, from 0 up to `reported`: old results lower it. */
  readonly fresh: number;
  /** The share of the whole weight that is waived, from 0 to below 1. */
  readonly waived: number;
  /** The share of the whole weight that the policy exempts, from 0 to below 1; what is also waived is exempt alone. */
  readonly exempt: number;
}

/** The share reported up to which a score is thin. */
const thinUpTo = 0.25;

/**
 * Is a score thin? It is if a quarter of the weight that counts has reported, or less: then it says little about the whole.
 */
export function isThin({ reported }: Pick<Rolled, "reported">): boolean {
  return reported <= thinUpTo + 1e-9;
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
  scored: number;
  score: number;
  reported: number;
  fresh: number;
  waived: number;
  exempt: number;
}

/** Sums of nothing yet. */
export function noParts(): Sums {
  return { weight: 0, counting: 0, scored: 0, score: 0, reported: 0, fresh: 0, waived: 0, exempt: 0 };
}

/**
 * Adds a part to the sums.
 *
 * @param score undefined when nothing of the part that counts reported
 * @param counts is anything of it neither waived nor exempt?
 */
export function addPart(
  sums: Sums,
  weight: number,
  score: number | undefined,
  reported: number,
  fresh: number,
  waived: number,
  exempt: number,
  counts: boolean,
): void {
  sums.weight += weight;
  if (counts) sums.counting += weight;
  if (score !== undefined) {
    sums.scored += weight;
    sums.score += weight * score;
  }
  sums.reported += weight * reported;
  sums.fresh += weight * fresh;
  sums.waived += weight * waived;
  sums.exempt += weight * exempt;
}

/** The score over the parts with a score, the shares reported and fresh over all that count, those waived and exempt over all. */
export function meanOf(sums: Sums): Omit<Rolled, "score"> & { readonly score: number | undefined } {
  const { weight, counting, scored } = sums;
  return {
    score: scored === 0 ? undefined : roundMean(sums.score / scored),
    reported: counting === 0 ? 0 : sums.reported / counting,
    fresh: counting === 0 ? 0 : sums.fresh / counting,
    waived: weight === 0 ? 0 : sums.waived / weight,
    exempt: weight === 0 ? 0 : sums.exempt / weight,
  };
}
