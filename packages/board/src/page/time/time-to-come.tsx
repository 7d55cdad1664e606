import type { DailyRollUp } from "@maturity/client";
import type { Reading } from "../data/reading.ts";
import { hasTrend } from "./days.ts";

/** As high as the trend that comes in its place, so that the list below does not move. */
export function TimeToCome({ days }: { readonly days?: Reading<DailyRollUp> | undefined }) {
  return days && !hasTrend(days) ? null : <section class="card time-to-come" aria-hidden="true" />;
}
