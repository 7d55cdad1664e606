import { shippedMetrics } from "@maturity/client";
import { insteadOf } from "@maturity/command-line/did-you-mean";
import { UsageError } from "@maturity/command-line/usage-error";

/** Names a metric. */
export interface MetricName {
  readonly scorecard: string;
  readonly metric: string;
}

/** The name of a metric on the command line: the opposite of `metricNamed`. */
export function metricText({ scorecard, metric }: MetricName): string {
  return Object.entries(shippedMetrics).some(([name, of]) => name === metric && of === scorecard)
    ? metric
    : `${scorecard}.${metric}`;
}

/**
 * The metric that a name on the command line means: `image_scan`, or with its scorecard `cost.budget`.
 *
 * @throws UsageError if the name has no scorecard and is not one of the metrics that ship
 */
export function metricNamed(name: string): MetricName {
  const [, scorecard, metric] = /^([^.]+)\.([^.]+)$/.exec(name) ?? [];
  if (scorecard && metric) return { scorecard, metric };
  const shipped = Object.entries(shippedMetrics).find(([metric]) => metric === name);
  if (shipped) return { scorecard: shipped[1], metric: name };
  const known = Object.keys(shippedMetrics);
  const own = Object.entries(shippedMetrics).flatMap(([metric, of]) => (of === name ? [metric] : []));
  if (own.length > 0) throw new UsageError(`${name} is a scorecard; its metrics are ${own.join(", ")}`);
  throw new UsageError(
    `${name === "" ? "the metric has no name" : `there is no metric ${name}`}${insteadOf(name, known)}; of a scorecard of your own write scorecard.metric, such as cost.budget`,
  );
}
