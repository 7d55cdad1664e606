export { CheckFailure } from "./check-failure.ts";
export type { Check } from "./check-metric.ts";
export { checkScorecard } from "./check-scorecard.ts";
export {
  type GoldenCase,
  type GoldenCases,
  type MetricCases,
  notACount,
  notAFlag,
  notANumber,
  type RefusedCase,
  refused,
  type ScoredCase,
} from "./golden-cases.ts";
