import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import type { Metric } from "../data/metrics.ts";
import { firstItems, useReading } from "../data/reading.ts";
import type { Column } from "../parts/column.ts";
import { Legend } from "../parts/legend.tsx";
import { Listing } from "../parts/listing.tsx";
import { Heat, whyLeftOut } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { areaColumn, scoreColumn } from "../screens/columns.tsx";

type Team = Lists["/teams"];

/** A page of teams with their metrics has no more. */
const page = 100;

/** A row for each team, with the average of each metric. */
export function TeamsByMetric({ env, metrics }: { readonly env: string; readonly metrics: readonly Metric[] }) {
  const { area, team, all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const teams = useReading("/teams", { env, area, team, metrics: true, limit: page }, { upTo });
  const columns = useMemo(() => columnsOf(env, metrics), [env, metrics]);
  return (
    <Listing
      reading={teams}
      nothing="No team has a score"
      env={env}
      of="team"
      label="Teams by metric, the worst first"
      columns={columns}
      order="score"
      after={<Legend />}
    />
  );
}

function columnsOf(env: string, metrics: readonly Metric[]): readonly Column<Team>[] {
  const found = (team: Team, metric: Metric) =>
    team.metrics?.find((one) => one.scorecard === metric.scorecard && one.metric === metric.metric);
  return [
    {
      id: "name",
      head: "Team",
      kind: "name",
      value: ({ team }) => team,
      href: ({ area, team }) => hrefOf({ env, area, team }),
    },
    scoreColumn(),
    ...metrics.map((metric, index): Column<Team> => {
      const { id, scorecard, title, of } = metric;
      return {
        ...{ id, head: title, title: id, kind: "cell" },
        ...(metrics[index - 1]?.scorecard !== scorecard && {
          group: { name: of, columns: metrics.filter((one) => one.scorecard === scorecard).length },
        }),
        value: (team) => found(team, metric)?.score ?? undefined,
        show: (team) => {
          const own = found(team, metric);
          const why = own?.score === null ? whyLeftOut(own) : "";
          return (
            <Heat
              score={own?.score ?? undefined}
              waived={own?.waived}
              {...(why && ({ state: "waived", why } as const))}
            />
          );
        },
        href: ({ area, team }) => hrefOf({ view: "metric", env, area, team, metric: id }),
      };
    }),
    areaColumn(env),
  ];
}
