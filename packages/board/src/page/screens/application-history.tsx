import type { ScoreChange } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, ask, Failed, type Page } from "../data/ask.ts";
import type { Lists } from "../data/lists.ts";
import { date, points } from "../format.ts";
import { Change } from "../parts/score.tsx";

type Entry = ScoreChange & { readonly scorecard: string; readonly metric: string };

const days = 90;
const mostEntries = 20;

/** What changed in an application, the latest first. It is asked for when the application is another than before. */
export function AppHistory({ app }: { readonly app: Lists["/apps"] }) {
  const entries = useSignal<readonly Entry[] | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    changesOf(app, stop.signal).then(
      (found) => {
        entries.value = found;
      },
      (error) => {
        if (!(error instanceof Failed) && !stop.signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [app]);
  if (!entries.value) return null;
  return (
    <section class="card" aria-labelledby="changed">
      <h2 id="changed">What changed</h2>
      {entries.value.length === 0 && <p class="soft">Nothing in {days} days.</p>}
      <ul>
        {entries.value.map(({ at, metric, score, former, cause, scorer }) => (
          <li key={`${metric} ${at}`}>
            <span class="by">{former === null ? <span class="same">new</span> : <Change by={score - former} />}</span>
            <b>{metric}</b> {former !== null && `${points(former)} → `}
            {points(score)}
            <small>
              <time dateTime={at}>{date(at)}</time>
              {cause === "rules" ? (
                <>
                  , by the rules of <bdi>{scorer}</bdi>
                </>
              ) : (
                ", by a report"
              )}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function changesOf(app: Lists["/apps"], signal: AbortSignal): Promise<readonly Entry[]> {
  const { area, team, env, metrics = [] } = app;
  const since = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const reported = metrics.filter(({ state }) => state !== "missing");
  const lists = await Promise.all(
    reported.map(async ({ scorecard, metric }) => {
      const query = { area, team, app: app.app, env, scorecard, metric, since, limit: 1_000 };
      const answer = await ask<Page<ScoreChange>>(addressOf("/history", query), { signal });
      return answer?.body.items.map((change) => ({ ...change, scorecard, metric })) ?? [];
    }),
  );
  const latestFirst = lists.flat().sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return latestFirst.slice(0, mostEntries);
}
