import type { AppScore, Target } from "@maturity/core";
import { isThin } from "@maturity/core/wire";
import type { ScorecardScores } from "../rollups/scorecards.ts";

/** A roll-up as it is shown. */
export interface ShownRollUp<Score = number> extends ShownScores<Score> {
  readonly thin: boolean;
  readonly scorecards: readonly (ShownScores & { readonly scorecard: string })[];
  readonly unscored_scorecards: readonly {
    readonly scorecard: string;
    readonly waived: number;
    readonly exempt: number;
  }[];
}

interface ShownScores<Score = number> {
  readonly score: Score;
  readonly reported: number;
  readonly fresh: number;
  readonly waived: number;
  readonly exempt: number;
}

export function showRolled<Score extends number | null>({
  score,
  reported,
  fresh,
  waived,
  exempt,
  scorecards,
  unscoredShares,
}: Omit<AppScore, keyof Target | "score"> & ScorecardScores & { readonly score: Score }): ShownRollUp<Score> {
  return {
    ...{ score, reported, fresh, waived, exempt },
    thin: score !== null && isThin({ reported }),
    scorecards: scorecards.map(({ scorecard, score, reported, fresh, waived, exempt }) => ({
      ...{ scorecard, score, reported, fresh, waived, exempt },
    })),
    unscored_scorecards: [...unscoredShares].map(([scorecard, { waived, exempt }]) => ({ scorecard, waived, exempt })),
  };
}
