import type { AnyMetric } from "./scorecard.ts";

/** A time: a Date, a text in ISO 8601, or milliseconds since 1970. */
export type Time = Date | string | number;

/** How old a result is, by what its metric allows. */
export type Freshness = "fresh" | "late" | "stale";

/**
 * `fresh` up to `maxAgeHours` of the metric, `late` up to twice as long, `stale` beyond; always `fresh` for a metric without
 * `maxAgeHours`. A score from after `at` is fresh, since clocks differ.
 *
 * @param reportedAt when the result came in
 * @param at the time of the reading
 * @throws RangeError when one of the two is no time
 */
export function freshness({ maxAgeHours }: Pick<AnyMetric, "maxAgeHours">, reportedAt: Time, at: Date): Freshness {
  if (maxAgeHours === undefined) return "fresh";
  const ages = (millisecondsOf(at) - millisecondsOf(reportedAt)) / (maxAgeHours * 3_600_000);
  if (ages <= 1) return "fresh";
  return ages <= 2 ? "late" : "stale";
}

/**
 * A time in milliseconds since 1970.
 *
 * @throws RangeError when it is no time
 */
export function millisecondsOf(time: Time): number {
  const milliseconds = typeof time === "number" ? time : (time instanceof Date ? time : new Date(time)).getTime();
  if (Number.isNaN(milliseconds)) {
    throw new RangeError(`a time must be a Date or a text such as 2026-01-31T12:00:00Z; got ${String(time)}`);
  }
  return milliseconds;
}
