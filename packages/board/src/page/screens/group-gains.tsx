import type { Area, Team } from "@maturity/client";
import { metricsOf } from "../data/metrics.ts";
import { useReading } from "../data/reading.ts";
import { plural } from "../format.ts";
import { Change } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

/** As many metrics stand above the list, each with as many of its applications. */
const [mostMetrics, mostApps] = [3, 3];

/** By which metrics a team or an area gains most, and in which of its applications. */
export function GroupFixFirst({ group }: { readonly group: Team | Area | undefined }) {
  const scorecards = useReading("/scorecards", {})?.answer.value?.items ?? [];
  // An older service sends none.
  if (!group?.gains || group.gains.metrics.length === 0) return null;
  const { area, env, gains } = group;
  const team = "team" in group ? group.team : undefined;
  const registered = metricsOf(scorecards);
  return (
    <section class="card first group-first" aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      <p class="soft">
        By the points that the score of the {team === undefined ? "area" : "team"} gains if a metric scores 100 wherever
        it was reported.
      </p>
      <ol class="gains">
        {gains.metrics.slice(0, mostMetrics).map(({ scorecard, metric, gain, count, apps }) => {
          const id = `${scorecard}.${metric}`;
          const shown = apps.slice(0, mostApps);
          return (
            <li key={id}>
              <span class="by">
                <Change by={gain} />
              </span>
              <a href={hrefOf({ view: "metric", env, area, team, metric: id })}>
                {registered.find((one) => one.id === id)?.title ?? metric}
              </a>
              <small>
                {metric} in {plural(count, "application")}
              </small>
              <p class="step">
                {shown.map((share, index) => (
                  <span key={`${share.team}/${share.app}`}>
                    {index > 0 && ", "}
                    <a href={hrefOf({ env, area, team: share.team, app: share.app })}>
                      <bdi>{share.app}</bdi>
                    </a>{" "}
                    <Change by={share.gain} />
                  </span>
                ))}
                {count > shown.length && `, ${count - shown.length}\u00a0more`}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
