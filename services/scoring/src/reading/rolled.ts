import type { AppScore, Rolled, ScorecardScore, Target } from "@maturity/core";
import { isThin } from "@maturity/core/wire";
import type { ScorecardScores } from "../rollups/scorecards.ts";

/** A roll-up as it is shown. */
export interface ShownRollUp<Score = number> extends Omit<Rolled, "score"> {
  readonly score: Score;
  readonly thin: boolean;
  readonly scorecards: readonly ScorecardScore[];
  readonly unscored_scorecards: readonly Pick<ScorecardScore, "scorecard" | "waived" | "exempt">[];
}

export function showRolled<Score extends number | null>({
  score,
  reported,
  fresh,
  waived,
  exempt,
  scorecards,
  unscored,
}: Omit<AppScore, keyof Target | "score"> & ScorecardScores & { readonly score: Score }): ShownRollUp<Score> {
  return {
    ...{ score, reported, fresh, waived, exempt },
    thin: score !== null && isThin({ reported }),
    scorecards,
    unscored_scorecards: unscored.map(({ scorecard, waived, exempt }) => ({ scorecard, waived, exempt })),
  };
}
