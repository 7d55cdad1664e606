import type { Area, Scorecard, Team } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { useReading } from "../data/reading.ts";
import { metricTitle } from "../data/scorecards.ts";
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
  return (
    <FixFirst
      of={`score of the ${team === undefined ? "area" : "team"}`}
      gains={gains.metrics}
      scorecards={scorecards}
      hrefTo={(metric) => hrefOf({ view: "metric", env, area, team, metric })}
      about={({ metric, count, apps }) => {
        const shown = apps.slice(0, mostApps);
        return (
          <>
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
          </>
        );
      }}
    />
  );
}

interface Gain {
  readonly scorecard: string;
  readonly metric: string;
  readonly gain: number;
}

/** The metrics by which something gains most. */
export function FixFirst<Metric extends Gain>({
  of,
  gains,
  scorecards,
  hrefTo,
  about,
}: {
  /** What gains: `score of the team`. */
  readonly of: string;
  /** The greatest first. */
  readonly gains: readonly Metric[];
  readonly scorecards: readonly Scorecard[];
  /** @param metric as `scorecard.metric` */
  readonly hrefTo: (metric: string) => string;
  readonly about: (gain: Metric) => ComponentChildren;
}) {
  return (
    <section class="card first group-first" aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      <p class="soft">By the points that the {of} gains if a metric scores 100 wherever it was reported.</p>
      <ol class="gains">
        {gains.slice(0, mostMetrics).map((one) => {
          const id = `${one.scorecard}.${one.metric}`;
          return (
            <li key={id}>
              <span class="by">
                <Change by={one.gain} />
              </span>
              <a href={hrefTo(id)}>{metricTitle(scorecards, one.scorecard, one.metric)}</a>
              {about(one)}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
