import type { Target } from "@maturity/core";
import type { MetricName } from "./targets.ts";

/** The key of a score. */
export interface ScoreKey extends Target, MetricName {}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, with two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  /** When the result was measured, as RFC 3339; when it is reported if absent. */
  readonly measured_at?: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** A score without its key. */
export type Reported = Omit<NewScore, keyof ScoreKey | "measured_at">;

/** The key of a score as a text. */
export function scoreId({ area, team, app, env, scorecard, metric }: ScoreKey): string {
  return JSON.stringify([area, team, app, env, scorecard, metric]);
}
