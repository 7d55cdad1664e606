import type { Scorecard } from "@maturity/client";
import { useReading } from "./reading.ts";

/** A scorecard with what it is called. */
export type Titled = Pick<Scorecard, "scorecard" | "title">;

/** The installed scorecards, in their order. It stays the same array while they do. */
export function useScorecards(): readonly Titled[] {
  return useReading("/scorecards", {})?.answer.value?.items ?? none;
}

const none: readonly Titled[] = [];

/** What a scorecard is called. */
export function titleOf(scorecards: readonly Titled[], name: string | null | undefined): string {
  return scorecards.find(({ scorecard }) => scorecard === name)?.title ?? name ?? "";
}
