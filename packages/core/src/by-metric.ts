import { MaturityError } from "./errors.ts";
import type { WeighedScorecard } from "./scorecard.ts";

/** The name of a metric of these scorecards with that of its scorecard: `security.image_scan`. */
export type MetricId<Card extends WeighedScorecard> = Card extends unknown
  ? `${Card["name"]}.${Card["metrics"][number]["name"]}`
  : never;

/** Something of each metric that has it, by `scorecard.metric`. */
export type ByMetric<Card extends WeighedScorecard, Value> = { readonly [Id in MetricId<Card>]?: Value | undefined };

/**
 * One entry for each metric, in the order of the scorecards and their metrics; undefined where a metric has none. An array
 * is that, or whatever keeps hundreds of thousands of entries in less room.
 */
export type InOrder<Value> = Pick<readonly (Value | undefined)[], "at" | "length">;

/** Names, such as those of a map that `excludedMetrics` returns. */
export type MetricIds = Pick<ReadonlySet<string>, "has"> & { get?(id: string): object | undefined };

/** The names of all metrics, in the order of the scorecards and their metrics. */
export function metricIds(scorecards: readonly WeighedScorecard[]): string[] {
  return scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
}

/**
 * The values in the order of the scorecards and their metrics.
 *
 * @throws MaturityError `unknown-metric` when a value is of no metric of the scorecards
 */
export function inOrder<Value>(
  scorecards: readonly WeighedScorecard[],
  values: Readonly<Record<string, Value | undefined>>,
): (Value | undefined)[] {
  const ids = metricIds(scorecards);
  const known = new Set(ids);
  for (const id of Object.keys(values)) {
    if (known.has(id)) continue;
    const message = `there is no metric named ${JSON.stringify(id)}; installed: ${ids.join(", ")}`;
    throw new MaturityError("unknown-metric", message, { details: [{ path: id, message }] });
  }
  return ids.map((id) => (Object.hasOwn(values, id) ? values[id] : undefined));
}

/** In the same order, which metrics these are: what a map has of each, or else any object. */
export function markedInOrder(scorecards: readonly WeighedScorecard[], ids: MetricIds): (object | undefined)[] {
  return metricIds(scorecards).map((id) => (ids.has(id) ? (ids.get?.(id) ?? ids) : undefined));
}

/** @throws RangeError unless there is one entry for each metric */
export function checkOrder(scorecards: readonly WeighedScorecard[], entries: InOrder<unknown>): void {
  let metrics = 0;
  for (const scorecard of scorecards) metrics += scorecard.metrics.length;
  checkCount(metrics, entries);
}

/** @throws RangeError unless there are as many entries as metrics */
export function checkCount(metrics: number, entries: InOrder<unknown>): void {
  if (entries.length !== metrics) throw new RangeError(`there are ${entries.length} entries for ${metrics} metrics`);
}
