import type { Engine, Reason } from "@maturity/core";
import { hasScore, type NewScore, type Rescored, rescore } from "../model/rescore.ts";
import type { StoredScore } from "../rollups/stored-scores.ts";
import { type ScoreKey, scoreId } from "../store/new-score.ts";
import type { MetricName } from "../store/targets.ts";
import { separator } from "../store/text-rows.ts";
import { createRefusals, type Refused } from "./refusals.ts";

/** Counts of scores that were scored again, of one metric or of all. Points are below 0 for a fall. */
export interface ScoreCounts {
  readonly scores: number;
  /** Scores that change. */
  readonly moved: number;
  readonly up: number;
  readonly down: number;
  /** The mean change of the scores that move, in points; 0 if none moves. */
  readonly mean_change: number;
  /** 0 if none falls. */
  readonly largest_fall: number;
  /** 0 if none rises. */
  readonly largest_rise: number;
  /** Scores that another version of a package computed; their values may be equal. */
  readonly other_scorer: number;
  /** Results that are refused now. Their stored scores stay. */
  readonly refused: number;
}

/** The counts of one metric. */
export interface MetricCounts extends MetricName, ScoreCounts {}

/** A score that moves. */
export interface ChangedScore extends ScoreKey {
  readonly change: number;
  readonly from: { readonly score: number; readonly scorer: string; readonly reasons: readonly Reason[] | null };
  readonly to: { readonly score: number; readonly scorer: string; readonly reasons: readonly Reason[] };
}

/** The counts of all scores, with details. */
export interface ScoreSummary extends ScoreCounts {
  /** Scores of metrics that no installed package has. They leave the roll-ups. */
  readonly not_installed: number;
  /** The metrics with scores that move, are refused or were computed by another version; the most moved first. */
  readonly metrics: readonly MetricCounts[];
  /** The twenty scores that move furthest. */
  readonly largest: readonly ChangedScore[];
  readonly refusals: readonly Refused[];
}

type Counts = { -readonly [Field in keyof ScoreCounts]: number };

/**
 * Counts how scores move. It keeps the results of the twenty scores that move furthest, and no others.
 *
 * @param former the engine of the former packages; its reasons are shown where it computes the stored score
 */
export function createScoreCounter(former?: Engine) {
  const byMetric = new Map<string, Counts>();
  let largest: Moved[] = [];
  const refusals = createRefusals();
  let notInstalled = 0;

  return {
    take(stored: StoredScore, rescored: Rescored): void {
      if (rescored === "unknown") {
        notInstalled++;
        return;
      }
      const { scorecard, metric, score, scorer } = stored;
      const counts = byMetric.get(scorecard + separator + metric) ?? noCounts();
      byMetric.set(scorecard + separator + metric, counts);
      counts.scores++;
      if (!hasScore(rescored)) {
        counts.refused++;
        refusals.take(stored, rescored.message);
        return;
      }
      if (rescored.scorer !== scorer) counts.other_scorer++;
      if (rescored.score === score) return;
      add(counts, roundedDifference(rescored.score, score));
      const moved = { stored, rescored };
      const last = largest[maxLargest - 1];
      if (!last || furthestFirst(moved, last) < 0)
        largest = [...largest, moved].sort(furthestFirst).slice(0, maxLargest);
    },

    summary(): ScoreSummary {
      const metrics = [...byMetric]
        .map(([id, counts]) => {
          const [scorecard = "", metric = ""] = id.split(separator);
          return { scorecard, metric, ...meanOf(counts) };
        })
        .filter(({ moved, other_scorer, refused }) => moved + other_scorer + refused > 0)
        .sort((a, b) => b.moved - a.moved || (a.scorecard + a.metric < b.scorecard + b.metric ? -1 : 1));
      return {
        ...meanOf([...byMetric.values()].reduce(sumOf, noCounts())),
        not_installed: notInstalled,
        metrics,
        largest: largest.map(({ stored, rescored }) => movedScore(stored, rescored, former)),
        refusals: refusals.all(),
      };
    },
  };
}

/** The length of `largest`. */
const maxLargest = 20;

interface Moved {
  readonly stored: StoredScore;
  readonly rescored: NewScore;
}

/** Orders by distance, and at the same distance by name. */
function furthestFirst(one: Moved, other: Moved): number {
  const distanceOf = ({ stored, rescored }: Moved) => Math.abs(rescored.score - stored.score);
  return distanceOf(other) - distanceOf(one) || (scoreId(one.stored) < scoreId(other.stored) ? -1 : 1);
}

function noCounts(): Counts {
  return {
    ...{ scores: 0, moved: 0, up: 0, down: 0, mean_change: 0, largest_fall: 0, largest_rise: 0 },
    ...{ other_scorer: 0, refused: 0 },
  };
}

/** Adds a score that moves. `mean_change` holds the sum until `meanOf` divides it. */
function add(counts: Counts, change: number): void {
  counts.moved++;
  if (change > 0) counts.up++;
  else counts.down++;
  counts.mean_change += change;
  counts.largest_fall = Math.min(counts.largest_fall, change);
  counts.largest_rise = Math.max(counts.largest_rise, change);
}

function sumOf(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([field, value]) => [field, value + other[field as keyof Counts]]);
  return {
    ...(Object.fromEntries(sums) as Counts),
    largest_fall: Math.min(one.largest_fall, other.largest_fall),
    largest_rise: Math.max(one.largest_rise, other.largest_rise),
  };
}

function meanOf(counts: Counts): ScoreCounts {
  return { ...counts, mean_change: counts.moved === 0 ? 0 : roundedDifference(counts.mean_change / counts.moved, 0) };
}

/** Scores have two decimals, and so have their differences. */
function roundedDifference(one: number, other: number): number {
  return Math.round((one - other) * 100) / 100;
}

function movedScore(stored: StoredScore, rescored: ChangedScore["to"], former: Engine | undefined): ChangedScore {
  const { area, team, app, env, scorecard, metric, score, scorer, raw } = stored;
  const before = former && rescore(former, scorecard, metric, JSON.parse(raw));
  const reasons = before && hasScore(before) && before.score === score ? before.reasons : null;
  return {
    ...{ area, team, app, env, scorecard, metric, change: roundedDifference(rescored.score, score) },
    from: { score, scorer, reasons },
    to: { score: rescored.score, scorer: rescored.scorer, reasons: rescored.reasons },
  };
}
