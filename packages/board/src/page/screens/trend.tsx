import type { DailyRollUp } from "@maturity/client";
import { type Asked, type Reading, useReading } from "../data/reading.ts";
import { isoDay } from "../format.ts";
import { Line } from "../parts/line.tsx";

const day = 86_400_000;

/** The recorded scores of an area, a team or an application. One answer holds for the day. */
export function useDays(key: Asked<"/history">, days: number): Reading<DailyRollUp> | undefined {
  const query = { ...key, since: isoDay(Date.now() - days * day), limit: days + 1 };
  return useReading("/history", query, { refreshed: false }) as Reading<DailyRollUp> | undefined;
}

/** The score on each of the last days. A day without one breaks the line. */
export function Trend({
  recorded,
  days,
  width,
  height,
}: {
  readonly recorded: Reading<DailyRollUp> | undefined;
  readonly days: number;
  readonly width?: number;
  readonly height?: number;
}) {
  const found = recorded?.answer.value;
  if (!found) return null;
  const now = Date.now();
  const scores = new Map(found.items.map(({ at, score }) => [at.slice(0, 10), score]));
  const line = Array.from({ length: days }, (_, index) => scores.get(isoDay(now - (days - index) * day)) ?? null);
  return <Line days={line} {...(width && { width })} {...(height && { height })} />;
}
