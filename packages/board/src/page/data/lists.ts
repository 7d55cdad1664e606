import type {
  Alias,
  App,
  AppChange,
  Area,
  DailyRollUp,
  RegisteredApp,
  ScoreChange,
  Scorecard,
  StoredProblem,
  StoredScore,
  Team,
  Waiver,
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
  readonly "/waivers": Waiver;
  readonly "/registry": RegisteredApp;
  readonly "/aliases": Alias;
  readonly "/history": DailyRollUp | ScoreChange;
}
