import { useMemo } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { metricsOf } from "../data/metrics.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { age, span } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Chips, Heading, Toggles } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { Heat } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "./columns.tsx";

type Score = Lists["/scores"];

const hour = 3_600_000;
const states = ["late", "stale"] as const;

/** Which results are older than their metrics allow, the oldest first. */
export function StaleScreen({ env }: { readonly env: string }) {
  const { area, team, state, all } = place.value;
  const query = { env, area, team, state: state ?? states, sort: "age", limit: firstItems };
  const scores = useReading("/scores", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const scorecards = useReading("/scorecards", {})?.answer.value?.items;
  const columns = useMemo(() => columnsOf(env, scorecards ?? []), [env, scorecards]);
  return (
    <>
      <Heading>Stale results</Heading>
      <Chips>
        <Toggles name="state" values={states} />
      </Chips>
      <Listing
        reading={scores}
        nothing="No result is older than its metric allows"
        env={env}
        label="Results, the oldest first"
        columns={columns}
        order="-age"
        after={
          <p class="legend">
            A result is late when it is older than its metric calls good, and stale at twice that age. Then it still
            counts in the score, but no longer as fresh.
          </p>
        }
      />
    </>
  );
}

function columnsOf(env: string, scorecards: readonly Lists["/scorecards"][]): readonly Column<Score>[] {
  const [name, ...above] = namesOf<Score>(env);
  const promises = new Map(metricsOf(scorecards).map(({ id, max_age_hours }) => [id, max_age_hours]));
  const promiseOf = ({ scorecard, metric }: Score) => promises.get(`${scorecard}.${metric}`) ?? undefined;
  return [
    name,
    {
      id: "metric",
      head: "Metric",
      kind: "text",
      value: ({ metric }) => metric,
      href: ({ scorecard, metric }) => hrefOf({ view: "metric", env, metric: `${scorecard}.${metric}` }),
    },
    {
      id: "score",
      head: "Score",
      kind: "heat",
      isWide: true,
      value: ({ score }) => score,
      show: ({ score, state }) => <Heat score={score} state={state} />,
    },
    { id: "state", head: "State", kind: "word", value: ({ state }) => state },
    {
      id: "age",
      head: "Age",
      kind: "number",
      isDown: true,
      rank: ({ reported_at }) => -Date.parse(reported_at),
      value: ({ reported_at }) => reported_at,
      show: ({ reported_at }) => <time title={reported_at}>{age(reported_at, Date.now())}</time>,
    },
    {
      id: "good_for_hours",
      head: "Good for",
      title: "How old a result of the metric may be",
      kind: "number",
      isWide: true,
      value: promiseOf,
      show: (score) => {
        const hours = promiseOf(score);
        return hours !== undefined && span(hours * hour);
      },
    },
    ...above,
  ];
}
