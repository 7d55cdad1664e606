import { useMemo } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { type Metric, metricsOf } from "../data/metrics.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { count, percent, points } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Grid } from "../parts/grid.tsx";
import { Heading, NothingMatches } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { Change, Fact, Facts, Heat, Open, type State } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { changeColumn, coverageColumn, criticalColumn, scoreColumn } from "./columns.tsx";

/** An application with its scores by `<scorecard>.<metric>`. */
type Row = Lists["/apps"] & { readonly scores: ReadonlyMap<string, { readonly score: number; readonly state: State }> };

/** The applications of a team by their metrics. */
export function TeamScreen({ env }: { readonly env: string }) {
  const { area, team, all } = place.value;
  const query = { env, area, team, limit: firstItems };
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const scorecards = useReading("/scorecards", {});
  const metrics = useMemo(() => metricsOf(scorecards?.answer.value?.items ?? []), [scorecards?.answer.value]);
  const apps = useReading("/apps", query, { upTo });
  const scores = useReading("/scores", query, { upTo: upTo * Math.max(metrics.length, 1) });
  const teams = useReading("/teams", { env, area, team });
  const isCompared = apps?.answer.value?.items.some(({ change }) => change !== undefined) ?? false;
  const columns = useMemo(() => columnsOf(metrics, env, isCompared), [metrics, env, isCompared]);
  const rows = useMemo(
    () => rowsOf(apps?.answer.value?.items ?? [], scores?.answer.value?.items ?? []),
    [apps?.answer.value, scores?.answer.value],
  );
  const own = teams?.answer.value?.items[0];
  return (
    <>
      <Heading
        trail={[
          { name: "Organisation", to: { env } },
          { name: area ?? "", to: { env, ...(area && { area }) } },
        ]}
      >
        <bdi>{team}</bdi>
      </Heading>
      <Read reading={apps}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NothingMatches what="No application of this team has reported" env={env} />
          ) : (
            <>
              {own && <Figures team={own} />}
              <Grid label="Applications" rows={rows} total={total} columns={columns} order="score" />
              <Legend />
            </>
          )
        }
      </Read>
    </>
  );
}

function rowsOf(apps: readonly Lists["/apps"][], scores: readonly Lists["/scores"][]): readonly Row[] {
  const scoresOf = new Map<string, Map<string, { score: number; state: State }>>();
  for (const { app, scorecard, metric, score, state } of scores) {
    const own = scoresOf.get(app) ?? new Map();
    own.set(`${scorecard}.${metric}`, { score, state });
    scoresOf.set(app, own);
  }
  return apps.map((app) => ({ ...app, scores: scoresOf.get(app.app) ?? new Map() }));
}

function columnsOf(metrics: readonly Metric[], env: string, isCompared: boolean): readonly Column<Row>[] {
  const hrefOfRow = ({ area, team, app }: Row) => hrefOf({ env, area, team, app });
  return [
    { id: "name", head: "Application", kind: "name", value: ({ app }) => app, href: hrefOfRow },
    scoreColumn(),
    ...(isCompared ? [{ ...changeColumn<Row>(), isWide: true }] : []),
    ...metrics.map(
      ({ id, scorecard, metric, title }, index): Column<Row> => ({
        id,
        head: metric,
        title: `${scorecard}: ${title}`,
        kind: "cell",
        ...(metrics[index - 1]?.scorecard !== scorecard && {
          group: { name: scorecard, columns: metrics.filter((one) => one.scorecard === scorecard).length },
        }),
        value: ({ scores }) => scores.get(id)?.score,
        show: ({ scores }) => <Heat score={scores.get(id)?.score} state={scores.get(id)?.state ?? "missing"} />,
      }),
    ),
    coverageColumn(),
    criticalColumn(),
  ];
}

function Figures({ team }: { readonly team: Lists["/teams"] }) {
  return (
    <Facts>
      <Fact label={`average of ${count(team.count)} ${team.count === 1 ? "application" : "applications"}`}>
        {points(team.score)}
      </Fact>
      {team.change !== undefined && (
        <Fact label="in 30 days">
          <Change by={team.change} />
        </Fact>
      )}
      <Fact label={`covered by fresh results, ${percent(team.coverage)} reported`}>{percent(team.fresh_coverage)}</Fact>
      <Fact label="lowest">{points(team.lowest)}</Fact>
      <Fact label="open critical problems">
        <Open count={team.problems.critical} />
      </Fact>
    </Facts>
  );
}
