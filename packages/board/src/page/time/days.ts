import type { DailyRollUp } from "@maturity/client";
import { type Asked, isAwaited, type Reading, useReading } from "../data/reading.ts";
import { isoDay } from "../format.ts";
import { place } from "../place.ts";

const day = 86_400_000;

/** For how many days a trend can be shown. */
export const ranges = ["30", "90", "365"] as const;

/** For how many days the address asks, and the first of them. */
export function chosenRange(): { readonly range: (typeof ranges)[number]; readonly from: string } {
  const range = ranges.find((one) => one === place.value.days) ?? "90";
  return { range, from: isoDay(Date.now() - Number(range) * day) };
}

/** The recorded scores of an area, a team or an application. One answer holds for the day. */
export function useDays(key: Asked<"/history"> | undefined): Reading<DailyRollUp> | undefined {
  const { range, from } = chosenRange();
  const query = key && { ...key, since: from, limit: Number(range) + 1 };
  return useReading("/history", query, { refreshed: false }) as Reading<DailyRollUp> | undefined;
}

/** What was recorded 30 days ago. */
export function former(days: Reading<DailyRollUp> | undefined): DailyRollUp | undefined {
  const then = isoDay(Date.now() - Number(ranges[0]) * day);
  return days?.answer.value?.items.find(({ at }) => at.startsWith(then));
}

/** By how much the score of the organisation differs from that of 30 days ago; undefined if that day is not recorded. */
export function changeOfAll(days: Reading<DailyRollUp> | undefined, score: number): number | undefined {
  const then = former(days)?.score;
  return typeof then === "number" ? score - then : undefined;
}

/** Whether a trend is shown or still to come: of a single day there is none, unless the reader asks for other days. */
export function hasTrend(days: Reading<DailyRollUp> | undefined): boolean {
  return isAwaited(days) || place.value.days !== undefined || (days?.answer.value?.items.length ?? 0) > 1;
}

/**
 * A list, once it is known what stands above it: a trend, and what the others say. Where a score has changed there are
 * days; else they are awaited.
 */
export function underTrend<Item extends { readonly change?: number }>(
  list: Reading<Item> | undefined,
  days: Reading<DailyRollUp> | undefined,
  others: readonly (Reading<unknown> | undefined)[] = [],
): Reading<Item> | undefined {
  const hasDays = list?.answer.value?.items.some(({ change }) => change !== undefined) || !isAwaited(days);
  return hasDays && !others.some(isAwaited) ? list : undefined;
}
