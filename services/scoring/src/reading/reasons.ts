import { type Engine, MaturityError, type Reason } from "@maturity/core";
import type { Json } from "../openapi/operation.ts";
import { object } from "../openapi/operation.ts";
import type { ScoreKey } from "../store/scores.ts";

export const reasonsSchema: Json = {
  type: ["array", "null"],
  items: object({ field: { type: "string" }, value: {}, text: { type: "string" } }),
  description: "Why the score is what it is; null if the rules that made it are no longer installed",
};

/** A stored score with the raw result that it was made of. */
interface Scored extends Pick<ScoreKey, "scorecard" | "metric"> {
  readonly score: number;
  readonly raw: object;
}

/**
 * Why a stored score is what it is. Reasons are not stored: the same raw result has them again. Where the rules of today
 * come to another score, theirs explain nothing, and it is null.
 */
export function reasonsOf(engine: Engine, { scorecard, metric, score, raw }: Scored): readonly Reason[] | null {
  try {
    const today = engine.score(scorecard, metric, raw);
    return today.score === score ? today.reasons : null;
  } catch (error) {
    if (error instanceof MaturityError) return null; // the metric is gone, or no longer takes this raw result
    throw error;
  }
}
