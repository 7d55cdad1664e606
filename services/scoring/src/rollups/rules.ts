import type { AppliesRule, Level, WeighedScorecard } from "@maturity/core";

/** The rules that turn the scores of metrics into the score and the level of an application. */
export interface RollUpRules {
  readonly scorecards: readonly WeighedScorecard[];
  /** The lowest first. */
  readonly levels: readonly Level[];
  /** To whom metrics apply. */
  readonly applies: readonly AppliesRule[];
}

/** The rules by which applications are read. What is absent, levels or rules of what applies, does not exist. */
export type OrganisationRules = Pick<RollUpRules, "scorecards"> & Partial<RollUpRules>;
