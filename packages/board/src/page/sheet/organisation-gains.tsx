import type { Lists } from "@maturity/client";
import { plural, points } from "../format.ts";
import { hrefOf } from "../place.ts";
import { FixFirst } from "../screens/group-gains.tsx";

/** By which metrics the average of the areas gains most. */
export function OrganisationGains({
  averages,
  scorecards,
  env,
}: {
  readonly averages: readonly Lists["/metric-averages"][];
  readonly scorecards: readonly Lists["/scorecards"][];
  readonly env: string;
}) {
  const gains = averages.filter(({ gain }) => gain > 0).toSorted((a, b) => b.gain - a.gain);
  if (gains.length === 0) return null;
  return (
    <FixFirst
      of="average of the areas"
      gains={gains}
      scorecards={scorecards}
      hrefTo={(metric) => hrefOf({ view: "metric", env, metric })}
      about={({ metric, count, score }) => (
        <small>
          {metric} in {plural(count, "application")}
          {score !== null && <>, average {points(score)}</>}
        </small>
      )}
    />
  );
}
