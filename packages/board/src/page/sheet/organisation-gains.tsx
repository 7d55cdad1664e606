import type { Lists } from "@maturity/client";
import { metricsOf } from "../data/metrics.ts";
import { plural, points } from "../format.ts";
import { Change } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

const mostShown = 3;

/** By which metrics the average of the areas gains most. */
export function OrganisationGains({
  averages,
  scorecards,
}: {
  readonly averages: readonly Lists["/metric-averages"][];
  readonly scorecards: readonly Lists["/scorecards"][];
}) {
  const metrics = metricsOf(scorecards);
  const gains = averages.filter(({ gain }) => gain > 0).toSorted((a, b) => b.gain - a.gain);
  if (gains.length === 0) return null;
  return (
    <section class="card first group-first" aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      <p class="soft">
        By the points that the average of the areas gains if a metric scores 100 wherever it was reported.
      </p>
      <ol class="gains">
        {gains.slice(0, mostShown).map(({ env, scorecard, metric, gain, count, score }) => {
          const id = `${scorecard}.${metric}`;
          return (
            <li key={id}>
              <span class="by">
                <Change by={gain} />
              </span>
              <a href={hrefOf({ view: "metric", env, metric: id })}>
                {metrics.find((one) => one.id === id)?.title ?? metric}
              </a>
              <small>
                {metric} in {plural(count, "application")}
                {score !== null && <>, average {points(score)}</>}
              </small>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
