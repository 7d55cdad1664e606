import type { ScoreChange } from "@maturity/client";
import type { Parameters } from "../data/ask.ts";
import { type Reading, useReading } from "../data/reading.ts";
import { date, isoDay, signed, tenths } from "../format.ts";
import { Change } from "../parts/score.tsx";

const days = 90;
const mostEntries = 20;

/** The latest changes of an application's scores, the latest first. */
export function useAppHistory(key: Parameters): Reading<ScoreChange> | undefined {
  const since = isoDay(Date.now() - days * 86_400_000);
  const query = { ...key, changes: true, since, sort: "-at", limit: mostEntries };
  return useReading("/history", query, { upTo: mostEntries }) as Reading<ScoreChange> | undefined;
}

/** What changed in an application, the latest first. */
export function AppHistory({ history }: { readonly history: Reading<ScoreChange> | undefined }) {
  const recorded = history?.answer.value?.items;
  if (!recorded) return null;
  // New rules that score a result as the old ones did are no news.
  const changes = recorded.filter(({ score, former }) => former === null || signed(score - former) !== "0");
  return (
    <section class="card" aria-labelledby="changed">
      <h2 id="changed">What changed</h2>
      {changes.length === 0 && <p class="soft">Nothing in {days} days.</p>}
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
                `, by a ${cause === "move" ? "merge" : "report"}`
              )}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
