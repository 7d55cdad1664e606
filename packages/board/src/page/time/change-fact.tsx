import type { DailyRollUp } from "@maturity/client";
import type { Reading } from "../data/reading.ts";
import { plural } from "../format.ts";
import { Change, Fact } from "../parts/score.tsx";
import { former } from "./days.ts";

const about = "What is new or gone moves it too";

/** By how much an average differs from that of 30 days ago, and of how many that was, unless it was of as many. */
export function ChangeFact({
  by,
  of,
  count,
  days,
  to,
}: {
  readonly by: number | undefined;
  /** What the average is of: `area`. */
  readonly of: string;
  readonly count: number;
  readonly days: Reading<DailyRollUp> | undefined;
  readonly to?: string;
}) {
  if (by === undefined) return null;
  const { count: then = count } = former(days) ?? {};
  return (
    <Fact
      label={
        <>
          {to ? (
            <a href={to} title={about}>
              in 30 days
            </a>
          ) : (
            "in 30 days"
          )}
          {then !== count && `, then ${plural(then, of)}`}
        </>
      }
    >
      <Change by={by} />
    </Fact>
  );
}
