import type {
  App,
  AppChange,
  Area,
  DailyRollUp,
  ScoreChange,
  Scorecard,
  StoredProblem,
  StoredScore,
  Team,
} from "@maturity/client";

/** The lists that the page reads. */
export interface Lists {
  readonly "/areas": Area & Grown;
  readonly "/teams": Team & Grown;
  readonly "/apps": App & Pick<Grown, "trend">;
  readonly "/scores": StoredScore;
  readonly "/problems": StoredProblem;
  readonly "/scorecards": Scorecard;
  readonly "/changes": AppChange;
  readonly "/history": DailyRollUp | ScoreChange;
  readonly "/search": Found;
}

interface Grown {
  readonly scorecards?: readonly { scorecard: string; score: number; coverage: number; fresh_coverage: number }[];
  readonly apps?: number;
  readonly trend?: readonly (number | null)[];
}

/** An area, a team or an application that a search found. */
export interface Found {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
}
