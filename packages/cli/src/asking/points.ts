import type { App, Scorecard } from "@maturity/client";

/** A registered metric of an application, as the service shows it. */
export type MetricDetail = NonNullable<App["metrics"]>[number];

/** A metric that reported, and what it takes from the score of its application. */
export interface CostlyMetric {
  readonly metric: MetricDetail & { readonly score: number };
  /** By so many points the application's score would rise if this metric scored 100. */
  readonly points: number;
}

/**
 * The metrics of an application that score below 100, the one that costs most first. All points together are what the
 * application lacks to 100, because its score is a weighted mean over what reported and is not waived.
 *
 * @param scorecards those of the service, for their weights
 */
export function costlyMetrics(
  { metrics = [], scorecards: rolled }: App,
  scorecards: readonly Scorecard[],
): CostlyMetric[] {
  const reported = metrics.filter(
    (metric): metric is CostlyMetric["metric"] => metric.score !== undefined && metric.state !== "waived",
  );
  const counted = scorecards.filter(({ scorecard }) => rolled.some((one) => one.scorecard === scorecard));
  const whole = sum(counted.map(({ weight }) => weight));
  return reported
    .flatMap((metric) => {
      const of = counted.find(({ scorecard }) => scorecard === metric.scorecard);
      if (!of || metric.score === 100) return [];
      const beside = reported.filter(({ scorecard }) => scorecard === metric.scorecard);
      const share = (of.weight / whole) * (metric.weight / sum(beside.map(({ weight }) => weight)));
      return [{ metric, points: share * (100 - metric.score) }];
    })
    .sort((a, b) => b.points - a.points);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
