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
  readonly "/areas": Area;
  readonly "/teams": Team;
  readonly "/apps": App;
  readonly "/scores": StoredScore;
  readonly "/problems": StoredProblem;
  readonly "/scorecards": Scorecard;
  readonly "/changes": AppChange;
  readonly "/history": DailyRollUp | ScoreChange;
}
