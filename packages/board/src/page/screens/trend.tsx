import { useReading } from "../data/reading.ts";
import { isoDay } from "../format.ts";
import { Line } from "../parts/line.tsx";

const day = 86_400_000;

/** The score of an area, a team or an application on each of the last days. A day without one breaks the line. */
export function Trend({
  of,
  days = 30,
  width,
  height,
}: {
  readonly of: { readonly area: string; readonly team?: string; readonly app?: string; readonly env: string };
  readonly days?: number;
  readonly width?: number;
  readonly height?: number;
}) {
  const { area, team, app, env } = of;
  const now = Date.now();
  const query = { area, team, app, env, since: isoDay(now - days * day), limit: days + 1 };
  // One answer holds for the day.
  const history = useReading("/history", query, { refreshed: false })?.answer.value;
  if (!history) return null;
  const scores = new Map(history.items.map(({ at, score }) => [at.slice(0, 10), score]));
  const line = Array.from({ length: days }, (_, index) => scores.get(isoDay(now - (days - index) * day)) ?? null);
  return <Line days={line} {...(width && { width })} {...(height && { height })} />;
}
