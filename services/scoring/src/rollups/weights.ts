import { hash } from "node:crypto";
import type { Scorecard } from "@maturity/core";

/**
 * Distinguishes the weights of scorecards and metrics by 32 bits. Roll-ups with one number are made by one rule: the names
 * and weights are the same.
 */
export function weightsOf(scorecards: readonly Scorecard[]): number {
  const weights = scorecards.map(({ name, weight, metrics }) => [
    name,
    weight,
    metrics.map(({ name, weight }) => [name, weight]).sort(byName),
  ]);
  return hash("sha256", JSON.stringify(weights.sort(byName)), "buffer").readInt32BE();
}

function byName([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}
