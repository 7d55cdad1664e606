import { type Engine, MaturityError, type Reason } from "@maturity/core";

/**
 * The outcome of scoring a stored result again: a score, which may equal the stored one; why there is none, because the
 * schema of the metric changed or its scorer failed; or `unknown`, because no installed package has the metric.
 */
export type Rescored = NewScore | MaturityError | "unknown";

/** A score that the installed packages compute. */
export interface NewScore {
  readonly score: number;
  readonly scorer: string;
  readonly reasons: readonly Reason[];
}

/** Scores a stored result with the installed packages. */
export function rescore(engine: Engine, scorecard: string, metric: string, raw: unknown): Rescored {
  try {
    return engine.score(scorecard, metric, raw);
  } catch (error) {
    if (!(error instanceof MaturityError)) throw error;
    return error.code.startsWith("unknown-") ? "unknown" : error;
  }
}

/** Says whether the installed packages compute a score. */
export function hasScore(rescored: Rescored): rescored is NewScore {
  return typeof rescored === "object" && "score" in rescored;
}
