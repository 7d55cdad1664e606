import type { DailyRollUp } from "@maturity/client";
import type { Reading } from "../data/reading.ts";
import { plural } from "../format.ts";
import { Change, Fact } from "../parts/score.tsx";
import { former } from "./days.ts";

/** By how much an average differs from that of 30 days ago. */
export function ChangeFact({
  by,
  areas,
  days,
  to,
}: {
  readonly by: number | undefined;
  /** How many there are now, where it is the average of areas. */
  readonly areas?: number;
  /** The recorded days of that average; they say of how many it was then. */
  readonly days?: Reading<DailyRollUp> | undefined;
  readonly to?: string;
}) {
  if (by === undefined) return null;
  const { count: then = areas } = former(days) ?? {};
  return (
    <Fact
      label={
        <>
          {to ? (
            <a href={to} {...(areas && { title: "What is new or gone moves it too" })}>
              in 30 days
            </a>
          ) : (
            "in 30 days"
          )}
          {then !== areas && `, then ${plural(then ?? 0, "area")}`}
        </>
      }
    >
      <Change by={by} />
    </Fact>
  );
}
