import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { metricsOf } from "../data/metrics.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { span } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Toggles } from "../parts/heading.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { hrefOf, place } from "../place.ts";
import { ageColumn, namesOf, resultColumn, stateColumn } from "../screens/columns.tsx";

type Score = Lists["/scores"];

const hour = 3_600_000;
const states = ["late", "stale"] as const;

/** Four lines of the title of a metric, in pixels. */
const narrowRowHeight = 76;

/** Which results are older than their metrics allow, the oldest first. */
export function StaleScreen({ env }: { readonly env: string }) {
  const { area, team, state, all } = place.value;
  const query = { env, area, team, state: state ?? states, sort: "age", limit: firstItems };
  const scores = useReading("/scores", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const isNarrow = useNarrow();
  const scorecards = useReading("/scorecards", {})?.answer.value?.items;
  const columns = useMemo(() => columnsOf(env, scorecards ?? [], isNarrow), [env, scorecards, isNarrow]);
  return (
    <ListScreen
      title="Stale results"
      chips={<Toggles name="state" values={states} />}
      reading={scores}
      nothing="No result is older than its metric allows"
      env={env}
      of="result"
      label="Results, the oldest first"
      columns={columns}
      order="-measured_at"
      {...(isNarrow && { rowHeight: narrowRowHeight })}
      after={
        <p class="legend">
          A result is late when it is older than its metric calls good, and stale at twice that age. Then it still
          counts in the score, but no longer as fresh.
        </p>
      }
    />
  );
}

function columnsOf(
  env: string,
  scorecards: readonly Lists["/scorecards"][],
  isNarrow: boolean,
): readonly Column<Score>[] {
  const [name, ...above] = namesOf<Score>(env, isNarrow);
  const metrics = new Map(metricsOf(scorecards).map((metric) => [metric.id, metric]));
  const metricOf = ({ scorecard, metric }: Score) => metrics.get(`${scorecard}.${metric}`);
  const promiseOf = (score: Score) => metricOf(score)?.max_age_hours ?? undefined;
  return [
    name,
    {
      id: "metric",
      head: "Metric",
      kind: "text",
      value: (score) => metricOf(score)?.title ?? score.metric,
      href: ({ scorecard, metric }) => hrefOf({ view: "metric", env, metric: `${scorecard}.${metric}` }),
    },
    { ...resultColumn(), isMinor: true },
    stateColumn(),
    ageColumn(),
    {
      id: "good_for_hours",
      head: "Good for",
      title: "How old a result of the metric may be",
      kind: "number",
      isMinor: true,
      value: promiseOf,
      show: (score) => {
        const hours = promiseOf(score);
        return hours !== undefined && span(hours * hour);
      },
    },
    ...above,
  ];
}
