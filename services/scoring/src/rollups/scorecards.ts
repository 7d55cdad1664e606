import type { ScorecardScore, WeighedScorecard } from "@maturity/core";
import type { UnscoredShares } from "@maturity/core/wire";

/** The scorecards of an application, a team or an area. */
export interface ScorecardScores {
  /** The scorecards with a score, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
  /** The shares of scorecards without a score of which anything is waived or exempt. */
  readonly unscored: readonly UnscoredShares[];
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
  const unscored: UnscoredShares[] = [];
  for (const { name: scorecard } of scorecards) {
    let [results, counting, score, reported, fresh, waived, exempt] = [0, 0, 0, 0, 0, 0, 0];
    for (const part of parts) {
      const found = part.scorecards.find((one) => one.scorecard === scorecard);
      const without = found ? undefined : part.unscored.find((one) => one.scorecard === scorecard);
      if (found) {
        results++;
        score += found.score;
        reported += found.reported;
        fresh += found.fresh;
      }
      if (!without?.isWhole) counting++;
      waived += (found ?? without)?.waived ?? 0;
      exempt += (found ?? without)?.exempt ?? 0;
    }
    const shares = { waived: waived / parts.length, exempt: exempt / parts.length };
    if (results > 0) {
      const counted = { reported: reported / counting, fresh: fresh / counting };
      scored.push({ scorecard, score: score / results, ...counted, ...shares });
    } else if (waived > 0 || exempt > 0) unscored.push({ scorecard, ...shares, isWhole: counting === 0 });
  }
  return { scorecards: scored, unscored };
}
