import type { Engine, Reason } from "@maturity/core";
import { hasScore, type NewScore, rescore } from "../model/rescore.ts";
import type { Json } from "../openapi/operation.ts";
import { reasonSchema } from "../openapi/reason.ts";
import type { ScoreKey } from "../store/new-score.ts";

export const reasonsSchema: Json = {
  type: ["array", "null"],
  items: reasonSchema,
  description: "Why the score is what it is; null if the rules that made it are no longer installed",
};

/** A stored score with its result. */
interface Scored extends Pick<ScoreKey, "scorecard" | "metric"> {
  readonly score: number;
  readonly raw: object;
}

/**
 * The reasons of a stored score. They are not stored, but computed again from the result. If today's rules compute
 * another score, their reasons explain nothing, and the result is null.
 */
export function reasonsOf(engine: Engine, scored: Scored): readonly Reason[] | null {
  const today = rescore(engine, scored.scorecard, scored.metric, scored.raw);
  return hasScore(today) && today.score === scored.score ? today.reasons : null; // null also if the metric is gone or refuses it
}

/**
 * The score by today's rules; null if they refuse the result, undefined if the same scorer made the stored score.
 */
export function todaysScoreOf(
  engine: Engine,
  { scorecard, metric, scorer, raw }: Scored & { readonly scorer: string },
): NewScore | null | undefined {
  const today = rescore(engine, scorecard, metric, raw);
  if (!hasScore(today)) return null;
  return today.scorer === scorer ? undefined : today;
}
