export type { ByMetric, InOrder, MetricId, MetricIds } from "./by-metric.ts";
export type { CurveOfOne } from "./curve.ts";
export { defineMetric, defineScorecard } from "./define.ts";
export { createEngine, type Engine, type MetricNameOf, type RawOf, type Score } from "./engine.ts";
export { type EngineErrorCode, type Fault, MaturityError } from "./errors.ts";
export {
  type AppliesFacts,
  type AppliesRule,
  type AppliesTo,
  type Exemption,
  findExemptions,
} from "./exemptions.ts";
export { type Freshness, freshness, type Time } from "./freshness.ts";
export { type AppGain, findGain, type MetricGain, type MissingMetric, type ScoredRaw } from "./gain.ts";
export { halving } from "./halving.ts";
export type { Level, LevelFacts } from "./level-conditions.ts";
export type { AppLevel } from "./levels.ts";
export { type InputOfAll, lowestOf } from "./lowest-of.ts";
export type { JointStep, Step } from "./next-values.ts";
export { type PassOrFail, passFail } from "./pass-fail.ts";
export { logPiecewise, type Point, piecewise } from "./piecewise.ts";
export { findReach, type InputChange, type Reach } from "./reach.ts";
export {
  type AppScore,
  type AreaScore,
  type Average,
  type DatedScore,
  type RollUp,
  rollUp,
  rollUpApp,
  rollUpAreas,
  rollUpTeams,
  type ScorecardScore,
  type ScoreRecord,
  type TeamScore,
} from "./roll-up.ts";
export type {
  AnyMetric,
  Direction,
  Input,
  InputsOf,
  Metric,
  Outcome,
  RawSchema,
  Reason,
  Scorecard,
  ScorecardPackage,
  ScoreFunction,
  WeighedScorecard,
} from "./scorecard.ts";
export type { Severity } from "./severity.ts";
export type { Target } from "./target.ts";
export { coversTarget, type Exclusion, excludedMetrics, isInForce, type Waiver, type WaiverScope } from "./waivers.ts";
export type { Rolled } from "./weighted-mean.ts";
export { fractionAsPercent, minutesAsTime, type Unit } from "./wording.ts";
