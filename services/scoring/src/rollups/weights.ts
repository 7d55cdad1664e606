import { hash } from "node:crypto";
import type { WeighedScorecard } from "@maturity/core";

/**
 * A key of 32 bits of the names and weights of scorecards and metrics. Roll-ups with the same key were computed by the
 * same weights.
 */
export function weightsOf(scorecards: readonly WeighedScorecard[]): number {
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
