import { inspect } from "node:util";
import { type Engine, MaturityError } from "@maturity/core";
import { shownTarget } from "../model/app-name.ts";
import { OperatorError } from "../model/errors.ts";
import { hasScore, type Rescored, rescore } from "../model/rescore.ts";
import type { ChangedSetting } from "../policy/recorded.ts";
import { type ChangedApps, changedApps } from "../rollups/changed-apps.ts";
import { type AppContext, createComparison } from "../rollups/compared-apps.ts";
import type { RollUpRules } from "../rollups/rules.ts";
import type { StoredScore } from "../rollups/stored-scores.ts";
import type { ScoreChoice } from "./score-choice.ts";
import { createScoreCounter, type ScoreSummary } from "./score-counter.ts";

/** The comparison of the stored scores with those that the installed packages compute of the same results. */
export interface Replay extends ChangedApps {
  /** The time at which freshness and waivers are judged. */
  readonly as_of: Date;
  /**
   * The origin of the former weights, ages and levels: `recorded` by the last start, declared by the packages of `before`,
   * or, where neither is known, those of `now`.
   */
  readonly compared_by: "recorded" | "before" | "now";
  /** Since when the former rules are in force; null unless a start recorded them. */
  readonly in_force_since: Date | null;
  /** The packages, with their versions. */
  readonly scorers: readonly string[];
  /** The weights, ages and levels that differ. */
  readonly settings: readonly ChangedSetting[];
  readonly scores: ScoreSummary;
}

/** The two sides of the comparison. */
export interface ReplayRules {
  readonly before: RollUpRules;
  /** The rules of the installed packages. */
  readonly after: RollUpRules;
  readonly engine: Engine;
  /** The engine of the former packages, if they are given. */
  readonly former?: Engine | undefined;
}

/** Scores stored results again, one at a time. It keeps the results of the scores that move furthest, and no others. */
export function createReplay({ before, after, engine, former }: ReplayRules, choice: ScoreChoice) {
  const comparison = createComparison(before, after);
  const counter = createScoreCounter(former);
  return {
    take(stored: StoredScore): void {
      const { scorecard, metric, score } = stored;
      let to = score;
      if (choice.has(scorecard, metric)) {
        const rescored = stored.raw ? scoredAgain(engine, stored) : "unknown";
        counter.take(stored, rescored);
        if (hasScore(rescored)) to = rescored.score;
      }
      comparison.take({ ...stored, from: score, to });
    },
    /** The comparison of all scores that were taken. */
    end: (context: AppContext): ChangedApps & Pick<Replay, "as_of" | "scores"> => {
      const { applications, changed } = changedApps(comparison.compare(context));
      return { as_of: context.asOf, scores: counter.summary(), applications, changed };
    },
  };
}

/** @throws OperatorError if the scorer fails: that is no refusal of the result, and proves nothing of the others */
function scoredAgain(engine: Engine, stored: StoredScore): Rescored {
  const rescored = rescore(engine, stored.scorecard, stored.metric, JSON.parse(stored.raw));
  if (!(rescored instanceof MaturityError) || rescored.code !== "scorer-failed") return rescored;
  const { message, cause } = rescored;
  const why = cause === undefined ? "" : `: ${inspect(cause)}`;
  throw new OperatorError(`the result of ${shownTarget(stored)} cannot be scored: ${message}${why}`);
}
