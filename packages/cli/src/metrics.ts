import type { ScoreRequest } from "@maturity/client";
import { didYouMean } from "./did-you-mean.ts";
import { UsageError } from "./usage-error.ts";

/** A metric of a scorecard. */
export interface MetricName {
  readonly scorecard: string;
  readonly metric: string;
}

/** The metrics that ship, with the scorecard of each. */
export const shippedMetrics: {
  readonly [Metric in ScoreRequest["metric"]]: Extract<ScoreRequest, { metric: Metric }>["scorecard"];
} = {
  image_scan: "security",
  secret_scan: "security",
  sast: "security",
  dast: "security",
  sla: "reliability",
  change_failure_rate: "reliability",
  mttr: "reliability",
  mttd: "reliability",
  libs_secrets: "application",
  libs_observability: "application",
  unique_db_user: "application",
  health_check: "application",
  unit_coverage: "application",
  integration_coverage: "application",
  stress_test: "application",
};

/** The name by which a caller means a metric. */
export function metricText({ scorecard, metric }: MetricName): string {
  return Object.entries(shippedMetrics).some(([name, of]) => name === metric && of === scorecard)
    ? metric
    : `${scorecard}.${metric}`;
}

/**
 * The metric a name means: `image_scan`, or with its scorecard `cost.budget`.
 *
 * @throws UsageError when it is none that ships and names no scorecard
 */
export function metricNamed(name: string): MetricName {
  const [, scorecard, metric] = /^([^.]+)\.([^.]+)$/.exec(name) ?? [];
  if (scorecard && metric) return { scorecard, metric };
  const shipped = Object.entries(shippedMetrics).find(([metric]) => metric === name);
  if (shipped) return { scorecard: shipped[1], metric: name };
  const known = Object.keys(shippedMetrics);
  throw new UsageError(
    `${name === "" ? "the metric has no name" : `there is no metric ${name}`}; there are ${known.join(", ")}; of a scorecard of your own write scorecard.metric, such as cost.budget${didYouMean(name, known)}`,
  );
}
