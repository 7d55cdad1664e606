import type { Engine, Reason } from "@maturity/core";
import { hasScore, type NewScore, rescore } from "../model/rescore.ts";
import type { Json } from "../openapi/operation.ts";
import { reasonSchema } from "../openapi/reason.ts";
import type { MetricName } from "../store/targets.ts";

export const reasonsSchema: Json = {
  type: ["array", "null"],
  items: reasonSchema,
  description: "Why the score is what it is; null if the rules that made it are no longer installed",
};

/** A stored score with its result. */
interface Scored extends MetricName {
  readonly score: number;
  readonly scorer: string;
  readonly raw: object;
}

/**
 * What today's rules make of a stored score. Its reasons are not stored, but computed again from the result; they are null
 * if today's rules compute another score, which they do not explain.
 *
 * @returns `rescored` only if another version made the stored score; both null if the metric is gone or refuses the result
 */
export function explain(
  engine: Engine,
  { scorecard, metric, score, scorer, raw }: Scored,
): { readonly reasons: readonly Reason[] | null; readonly rescored?: NewScore | null } {
  const today = rescore(engine, scorecard, metric, raw);
  if (!hasScore(today)) return { reasons: null, rescored: null };
  const reasons = today.score === score ? today.reasons : null;
  return today.scorer === scorer ? { reasons } : { reasons, rescored: today };
}
