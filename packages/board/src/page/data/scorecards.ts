import type { Scorecard } from "@maturity/client";
import { useReading } from "./reading.ts";

/** A scorecard with what it is called. */
export type Titled = Pick<Scorecard, "scorecard" | "title">;

/** The installed scorecards, in their order. It stays the same array while they do. */
export function useScorecards(): readonly Scorecard[] {
  return useReading("/scorecards", {})?.answer.value?.items ?? none;
}

const none: readonly Scorecard[] = [];

/** What a scorecard is called. */
export function titleOf(scorecards: readonly Titled[], name: string | null | undefined): string {
  return scorecards.find(({ scorecard }) => scorecard === name)?.title ?? name ?? "";
}

/** What a metric is called; its name where that is not known. */
export function metricTitle(scorecards: readonly Scorecard[], scorecard: string, metric: string): string {
  const metrics = scorecards.find((one) => one.scorecard === scorecard)?.metrics;
  return metrics?.find((one) => one.metric === metric)?.title ?? metric;
}
