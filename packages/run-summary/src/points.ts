import type { App } from "@maturity/client";

/** An installed metric of an application, as the service shows it. */
export type MetricDetail = NonNullable<App["metrics"]>[number];

/** A metric that could score better, with what the application gains by it. */
export type GainingMetric = MetricDetail & Required<Pick<MetricDetail, "score" | "gain">>;

/** A metric that never reported, with what it adds to the share reported of the application once it does. */
export type MissingMetric = MetricDetail & Required<Pick<MetricDetail, "reported_gain">>;

/**
 * The metrics of an application that count and score below 100, the one that gains most first. All gains together are what
 * the application lacks to 100, because its score is a weighted mean over what reported and is not waived.
 */
export function gainingMetrics({ metrics = [] }: Pick<App, "metrics">): GainingMetric[] {
  return metrics
    .filter((metric): metric is GainingMetric => metric.gain !== undefined && metric.score !== undefined)
    .sort((a, b) => b.gain.app_gain - a.gain.app_gain);
}

/** The metrics of an application that never reported and are not waived, the largest gain of the share reported first. */
export function missingMetrics({ metrics = [] }: Pick<App, "metrics">): MissingMetric[] {
  return metrics
    .filter((metric): metric is MissingMetric => metric.reported_gain !== undefined)
    .sort((a, b) => b.reported_gain - a.reported_gain);
}

/** The next value of one input. */
export type Step = GainingMetric["gain"]["steps"][number];

/** The step of all metrics that raises the score of the application most; undefined where no input alone raises it. */
export function bestStep(
  app: Pick<App, "metrics">,
): { readonly metric: GainingMetric; readonly step: Step } | undefined {
  return gainingMetrics(app)
    .flatMap((metric) => metric.gain.steps.map((step) => ({ metric, step })))
    .sort((a, b) => b.step.app_gain - a.step.app_gain)[0];
}

/** What raises the score of a metric, in lines: single values, or else several together. Made safe for a terminal by the caller. */
export function stepTexts({ steps, together }: GainingMetric["gain"]): readonly string[] {
  const gains = ({ app_gain, score }: Pick<Step, "app_gain" | "score">) =>
    `${pointsText(app_gain)}, and the metric scores ${score}`;
  if (steps.length > 0) return steps.map((step) => `${stepText(step)} gains ${gains(step)}`);
  if (!together) return ["no single value raises it"];
  return [`${together.inputs.map(stepText).join(", ")} together gain ${gains(together)}`];
}

/** Points of the application's score. */
export function pointsText(points: number): string {
  const text = points.toFixed(1);
  return text === "0.0" ? "less than 0.1 points" : `${text} ${text === "1.0" ? "point" : "points"}`;
}

/** What a step changes: `high 3 → 2`. Made safe for a terminal by the caller. */
export function stepText({ field, from, to }: Pick<Step, "field" | "from" | "to">): string {
  const shown = (value: number | boolean) => (typeof value === "number" ? String(Number(value.toFixed(4))) : value);
  return `${field} ${shown(from)} → ${shown(to)}`;
}
