import type { Engine, Reason } from "@maturity/core";
import { hasScore, rescore } from "../model/rescore.ts";
import type { Json } from "../openapi/operation.ts";
import { reasonSchema } from "../openapi/reason.ts";
import type { ScoreKey } from "../store/scores.ts";

export const reasonsSchema: Json = {
  type: ["array", "null"],
  items: reasonSchema,
  description: "Why the score is what it is; null if the rules that made it are no longer installed",
};

/** A stored score with the result that it was made of. */
interface Scored extends Pick<ScoreKey, "scorecard" | "metric"> {
  readonly score: number;
  readonly raw: object;
}

/** What today's rules make of a result that another version of a package scored. */
export interface Rescored {
  readonly score: number;
  readonly scorer: string;
  readonly reasons: readonly Reason[];
}

/**
 * Why a stored score is what it is. Reasons are not stored: the same result has them again. Where the rules of today
 * come to another score, theirs explain nothing, and it is null.
 */
export function reasonsOf(engine: Engine, scored: Scored): readonly Reason[] | null {
  const today = rescore(engine, scored.scorecard, scored.metric, scored.raw);
  return hasScore(today) && today.score === scored.score ? today.reasons : null; // or the metric is gone, or refuses it
}

/** What today's rules make of a score; null if they refuse the result, undefined if they are those that made it. */
export function rescoredOf(
  engine: Engine,
  { scorecard, metric, scorer, raw }: Scored & { readonly scorer: string },
): Rescored | null | undefined {
  const today = rescore(engine, scorecard, metric, raw);
  if (!hasScore(today)) return null;
  return today.scorer === scorer ? undefined : today;
}
