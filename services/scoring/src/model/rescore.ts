import { type Engine, MaturityError, type Reason } from "@maturity/core";

/**
 * What the installed packages make of a stored result: another score or the same; a refusal, because its schema changed
 * or its scorer failed; or nothing, because no installed package has the metric.
 */
export type Rescored = Fresh | Refusal | "unknown";

/** A score that the installed packages compute. */
export interface Fresh {
  readonly score: number;
  readonly scorer: string;
  readonly reasons: readonly Reason[];
}

/** Why the installed packages compute no score. */
export interface Refusal {
  readonly message: string;
}

/** Scores a stored result again. */
export function rescore(engine: Engine, scorecard: string, metric: string, raw: unknown): Rescored {
  try {
    return engine.score(scorecard, metric, raw);
  } catch (error) {
    if (!(error instanceof MaturityError)) throw error;
    return error.code.startsWith("unknown-") ? "unknown" : { message: error.message };
  }
}

/** Says whether there is a score. */
export function isFresh(rescored: Rescored): rescored is Fresh {
  return typeof rescored === "object" && "score" in rescored;
}
