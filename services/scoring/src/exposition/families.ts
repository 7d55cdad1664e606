import type { Engine } from "@maturity/core";

/** Families of a scrape that selects none. */
export const defaultFamilies = ["scores", "timestamps", "weights", "problems", "registry", "waivers", "rules"] as const;

/** Families that a scrape can select with `collect[]=`. */
export const families: readonly Family[] = [...defaultFamilies, "rollups", "levels"];

export type Family = (typeof defaultFamilies)[number] | "rollups" | "levels";

/** A family of series. All of them are gauges. */
export interface Series {
  readonly name: string;
  readonly help: string;
}

export const scoreSeries: Series = {
  name: "maturity_score",
  help: "Latest score of a metric of an application, 0 to 100.",
};

export const timestampSeries: Series = {
  name: "maturity_score_reported_timestamp_seconds",
  help: "When the score was reported, in seconds since 1970.",
};

const metricWeightSeries: Series = {
  name: "maturity_metric_weight",
  help: "Weight of a metric in its scorecard, as declared.",
};

const metricMaxAgeSeries: Series = {
  name: "maturity_metric_max_age_seconds",
  help: "How old the evidence of a metric may be, as declared; there is none for a metric that never ages.",
};

const scorecardWeightSeries: Series = {
  name: "maturity_scorecard_weight",
  help: "Weight of a scorecard in the score of an application, as declared.",
};

export const problemSeries: Series = {
  name: "maturity_problem_count",
  help: "Findings of a problem by its last scan; 0 is resolved or clean.",
};

export const registeredSeries: Series = {
  name: "maturity_app_registered",
  help: "1 for each application that is registered, whether or not it has reported.",
};

export const metricWaivedSeries: Series = {
  name: "maturity_metric_waived",
  help: "1 for each metric, reported or not, that is waived for an application that has a score.",
};

export const problemWaivedSeries: Series = {
  name: "maturity_problem_waived",
  help: "1 for each problem that was ever reported and is waived now.",
};

export const waiverExpirySeries: Series = {
  name: "maturity_waiver_expiry_timestamp_seconds",
  help: "When a waiver that is in force ends, in seconds since 1970; there is none for one that only a revocation ends.",
};

export const rulesSeries: Series = {
  name: "maturity_app_score_change_by_rules",
  help: "Points by which changes of rules moved the score of an application in the last 25 hours; there is none if none did.",
};

/** The lines that open a family. */
export function header({ name, help }: Series): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
}

/**
 * The lines of what scorecards declare: weights, and the ages of the metrics that have one. Their names need no escaping: the
 * contract of scorecards sees to that.
 */
export function weights({ scorecards }: Engine): string {
  const metrics = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ labels: `{scorecard="${name}",metric="${metric.name}"}`, ...metric })),
  );
  const metricWeights = metrics.map(({ labels, weight }) => `${metricWeightSeries.name}${labels} ${weight}\n`);
  const ages = metrics.flatMap(({ labels, maxAgeHours }) =>
    maxAgeHours === undefined ? [] : [`${metricMaxAgeSeries.name}${labels} ${maxAgeHours * 3_600}\n`],
  );
  const cards = scorecards.map(
    ({ name, dimension, weight }) =>
      `${scorecardWeightSeries.name}{scorecard="${name}",dimension="${dimension}"} ${weight}\n`,
  );
  return [
    ...[header(metricWeightSeries), ...metricWeights],
    ...[header(metricMaxAgeSeries), ...ages],
    ...[header(scorecardWeightSeries), ...cards],
  ].join("");
}
