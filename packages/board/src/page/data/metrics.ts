import type { Scorecard } from "@maturity/client";

/** An installed metric, with the scorecard it belongs to. */
export type Metric = Omit<Scorecard["metrics"][number], "raw"> & { readonly scorecard: string; readonly id: string };

/** All installed metrics, in the order of their scorecards. */
export function metricsOf(scorecards: readonly Scorecard[]): readonly Metric[] {
  return scorecards.flatMap(({ scorecard, metrics }) =>
    metrics.map(({ raw: _, ...metric }) => ({ ...metric, scorecard, id: `${scorecard}.${metric.metric}` })),
  );
}
