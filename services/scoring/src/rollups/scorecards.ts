import type { ScorecardScore, WeighedScorecard } from "@maturity/core";
import { average } from "@maturity/core/wire";
import type { UnscoredShares } from "./exemptions.ts";

/** The scorecards of an application, a team or an area. */
export interface ScorecardScores {
  /** The scorecards with a score, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
  /** The shares of scorecards without a score of which anything is waived or exempt. */
  readonly unscoredShares: ReadonlyMap<string, UnscoredShares>;
}

/**
 * Averages the scorecards of applications or teams, in the order of the engine.
 *
 * - `score`: over the parts that have a score for the scorecard.
 * - `reported` and `fresh`: over the parts for which any of it counts; a part without results counts as 0.
 * - `waived` and `exempt`: over all parts.
 */
export function averageScorecards(
  { scorecards }: { readonly scorecards: readonly WeighedScorecard[] },
  parts: readonly ScorecardScores[],
): ScorecardScores {
  const scored: ScorecardScore[] = [];
  const unscoredShares = new Map<string, UnscoredShares>();
  for (const { name: scorecard } of scorecards) {
    const all = parts.map((part) => {
      const found = part.scorecards.find((one) => one.scorecard === scorecard);
      if (found) return found;
      const shares = part.unscoredShares.get(scorecard);
      return shares ? { ...noResults, ...shares } : noResults;
    });
    const results = all.filter((one) => "scorecard" in one);
    const counting = all.filter((one) => "scorecard" in one || !one.isWhole);
    const { waived, exempt } = average(all);
    if (results.length > 0) {
      const { reported, fresh } = average(counting);
      scored.push({ scorecard, score: average(results).score, reported, fresh, waived, exempt });
    } else if (waived > 0 || exempt > 0) {
      unscoredShares.set(scorecard, { waived, exempt, isWhole: counting.length === 0 });
    }
  }
  return { scorecards: scored, unscoredShares };
}

const noResults = { score: 0, reported: 0, fresh: 0, waived: 0, exempt: 0, isWhole: false };
