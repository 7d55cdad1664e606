import type { Scorecard } from "@maturity/client";

/** An installed metric, with the scorecard it belongs to. */
export type Metric = Omit<Scorecard["metrics"][number], "raw"> & {
  readonly scorecard: string;
  /** What its scorecard is called. */
  readonly of: string;
  readonly id: string;
};

/** All installed metrics, in the order of their scorecards. */
export function metricsOf(scorecards: readonly Scorecard[]): readonly Metric[] {
  return scorecards.flatMap(({ scorecard, title, metrics }) =>
    metrics.map(({ raw: _, ...metric }) => ({ ...metric, scorecard, of: title, id: `${scorecard}.${metric.metric}` })),
  );
}
