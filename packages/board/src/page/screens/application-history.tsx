import type { ScoreChange } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Asked, type Reading, useReading } from "../data/reading.ts";
import { date, isoDay, signed, tenths } from "../format.ts";
import { Change } from "../parts/score.tsx";

const days = 90;
const mostShown = 20;
const pageItems = 100;

/** What a change is by, but for rules, which are named. */
const by = { report: "by a report", backfill: "by a result of the past", move: "by a merge" } as const;

interface History {
  /** All that is read of them. */
  readonly known: readonly ScoreChange[];
  readonly changes: readonly ScoreChange[];
  /** May there be more to show? */
  readonly isGrowing: boolean;
}

/** The latest changes of an application's scores, the latest first. It reads on until there are enough to show. */
export function useAppHistory(key: Asked<"/history">): History | undefined {
  const since = isoDay(Date.now() - days * 86_400_000);
  const query = { ...key, changes: true, since, sort: "-at", limit: pageItems };
  const upTo = useSignal(pageItems);
  const reading = useReading("/history", query, { upTo: upTo.value }) as Reading<ScoreChange> | undefined;
  const { items, total = 0 } = reading?.answer.value ?? {};
  // New rules that score a result as the old ones did are no news.
  const changes = items?.filter(({ score, former }) => former === null || signed(score - former) !== "0") ?? [];
  const isGrowing = items !== undefined && items.length < total && changes.length < mostShown;
  useEffect(() => {
    if (isGrowing && items?.length === upTo.value) upTo.value += pageItems;
  }, [isGrowing, items]);
  return items && { known: items, changes: changes.slice(0, mostShown), isGrowing };
}

/** What changed in an application, the latest first. */
export function AppHistory({ history }: { readonly history: History | undefined }) {
  if (!history) return null;
  const { changes, isGrowing } = history;
  return (
    <section class="card" aria-labelledby="changed">
      <h2 id="changed">What changed</h2>
      {changes.length === 0 && !isGrowing && <p class="soft">Nothing in {days} days.</p>}
      <ul>
        {changes.map(({ at, scorecard, metric, score, former, cause, scorer }) => (
          <li key={`${scorecard} ${metric} ${at}`}>
            <span class="by">{former === null ? <span class="same">new</span> : <Change by={score - former} />}</span>
            <b>{metric}</b> {former !== null && `${tenths(former)} → `}
            {tenths(score)}
            <small>
              <time dateTime={at}>{date(at)}</time>
              {cause === "rules" ? (
                <>
                  , by the rules of <bdi>{scorer}</bdi>
                </>
              ) : (
                `, ${by[cause]}`
              )}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
