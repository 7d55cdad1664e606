/**
 * A score goes by its target and its metric. Where one number is needed, it is made of both ids: the id of a metric has 15
 * bits, so it is exact in JavaScript too.
 */
const metricBits = 32_768;

/** The number of a score. */
export function scoreId(target: number, metric: number): number {
  return target * metricBits + metric;
}

/** SQL of the number of the score that a row is about. */
export const scoreIdSql: string = `(target_id * ${metricBits}::bigint + metric_id)`;

/** SQL of a table `wanted` with the targets and the metrics of these scores. */
export function wantedScores(ids: readonly number[]): string {
  return `(
    SELECT (id / ${metricBits})::int AS target_id, (id % ${metricBits})::smallint AS metric_id
    FROM unnest('{${ids}}'::bigint[]) AS ids (id)
  ) AS wanted`;
}
