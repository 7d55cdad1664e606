import type { AppScore, Target } from "@maturity/core";
import type { ScorecardScores } from "../rollups/scorecards.ts";

/** A roll-up as it is shown. */
export interface ShownRollUp<Score = number> extends ShownScores<Score> {
  readonly scorecards: readonly (ShownScores & { readonly scorecard: string })[];
  readonly unscored_scorecards: readonly { readonly scorecard: string; readonly waived: number }[];
}

interface ShownScores<Score = number> {
  readonly score: Score;
  readonly reported: number;
  readonly fresh: number;
  readonly waived: number;
}

export function showRolled<Score extends number | null>({
  score,
  reported,
  fresh,
  waived,
  scorecards,
  waivedUnscored,
}: Omit<AppScore, keyof Target | "score"> & ScorecardScores & { readonly score: Score }): ShownRollUp<Score> {
  return {
    ...{ score, reported, fresh, waived },
    scorecards: scorecards.map(({ scorecard, score, reported, fresh, waived }) => ({
      ...{ scorecard, score, reported, fresh, waived },
    })),
    unscored_scorecards: [...waivedUnscored].map(([scorecard, waived]) => ({ scorecard, waived })),
  };
}
