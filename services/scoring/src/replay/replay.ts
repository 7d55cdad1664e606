import type { Engine } from "@maturity/core";
import { hasScore, rescore } from "../model/rescore.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { ChangedSetting } from "../policy/recorded.ts";
import { type ChangedApps, changedApps } from "../rollups/changed-apps.ts";
import { type AppContext, createComparison, type RollUpRules } from "../rollups/compared-apps.ts";
import { readStoredScores, type StoredScore } from "../rollups/stored-scores.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import type { ScoreChoice } from "./score-choice.ts";
import { createScoreCounter, type ScoreSummary } from "./score-counter.ts";

/** What the packages that are installed now would make of what is stored. */
export interface Replay extends ChangedApps {
  /** The moment of the reading. */
  readonly as_of: Date;
  /**
   * Whose weights, ages and levels the side of before has: those that the last start `recorded`, those of the packages of
   * `before`, or those of `now`, where neither is known.
   */
  readonly compared_by: "recorded" | "before" | "now";
  /** Since when those are in force; null unless a start recorded them. */
  readonly in_force_since: Date | null;
  /** The packages, with their versions. */
  readonly scorers: readonly string[];
  /** The weights, ages and levels that differ. */
  readonly settings: readonly ChangedSetting[];
  readonly scores: ScoreSummary;
}

/** By what stored scores are compared. */
export interface ReplayRules {
  readonly before: RollUpRules;
  /** Those of the packages that are installed now. */
  readonly after: RollUpRules;
  readonly engine: Engine;
  /** The packages of before, if they are at hand. */
  readonly former?: Engine | undefined;
}

/** Scores what is stored again. It never holds more than one result, beside those of the scores that move furthest. */
export function createReplay({ before, after, engine, former }: ReplayRules, choice: ScoreChoice) {
  const comparison = createComparison(before, after);
  const counter = createScoreCounter(former);
  return {
    take(stored: StoredScore): void {
      const { scorecard, metric, score } = stored;
      const isInstalled = choice.isInstalled(scorecard, metric);
      let to = score;
      if (choice.has(scorecard, metric)) {
        const rescored = isInstalled ? rescore(engine, scorecard, metric, JSON.parse(stored.raw)) : "unknown";
        counter.take(stored, rescored);
        if (hasScore(rescored)) to = rescored.score;
      }
      comparison.take({ ...stored, from: score, to });
    },
    /** What came of all that was taken. */
    end: (context: AppContext): ChangedApps & Pick<Replay, "as_of" | "scores"> => ({
      as_of: context.asOf,
      scores: counter.summary(),
      ...changedApps(comparison.compare(context)),
    }),
  };
}

/**
 * Scores what a database has again, from one snapshot of it. It only reads, so the database may be a replica.
 *
 * @throws ServiceError `store-unavailable`
 */
export function replayStore(
  database: Database,
  rules: ReplayRules,
  { filter, choice }: { readonly filter: TargetFilter; readonly choice: ScoreChoice },
): Promise<ReturnType<ReturnType<typeof createReplay>["end"]>> {
  return readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const replay = createReplay(rules, choice);
      return replay.end(await readStoredScores(lines, { filter, rawOf: choice.installed }, replay.take));
    },
    "none",
  );
}
