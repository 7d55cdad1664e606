import type { Area, Team } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { count, percent, points, tenths } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Grid } from "../parts/grid.tsx";
import { Heading, NothingMatches } from "../parts/heading.tsx";
import { Line } from "../parts/line.tsx";
import { Change, Fact, Facts, Open } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { changeColumn, coverageColumn, criticalColumn, scoreColumn, scorecardColumns } from "./columns.tsx";

type Group = Team | (Area & { readonly team?: undefined });

/** A page of a list with trends has no more. */
const trendItems = 100;

/** The areas, or the teams of one, by their scorecards. */
export function OrganisationScreen({ env }: { readonly env: string }) {
  const { area, all } = place.value;
  const query = { env, area, trend: true, limit: trendItems };
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const groups = useReading<"/areas" | "/teams">(area === undefined ? "/areas" : "/teams", query, { upTo });
  const items: readonly Group[] = groups?.answer.value?.items ?? [];
  const scorecards = [...new Set(items.flatMap((group) => group.scorecards.map(({ scorecard }) => scorecard)))];
  const columns = useMemo(() => columnsOf(scorecards, env, area), [scorecards.join(), env, area]);
  return (
    <>
      <Heading trail={area === undefined ? [] : [{ name: "Organisation", to: { env } }]}>
        {area === undefined ? "Organisation" : <bdi>{area}</bdi>}
      </Heading>
      <Read reading={groups}>
        {({ total }) =>
          items.length === 0 ? (
            <NothingMatches what="No application has reported" env={env} />
          ) : (
            <>
              <Figures groups={items} env={env} />
              <Grid
                label={area === undefined ? "Areas" : "Teams"}
                rows={items}
                total={total}
                columns={columns}
                order="score"
              />
              <Legend />
            </>
          )
        }
      </Read>
    </>
  );
}

function columnsOf(scorecards: readonly string[], env: string, area: string | undefined): readonly Column<Group>[] {
  const isArea = area === undefined;
  return [
    {
      id: "name",
      head: isArea ? "Area" : "Team",
      kind: "name",
      value: ({ area, team }) => (isArea ? area : team),
      href: ({ area, team }) => hrefOf({ env, area, team }),
    },
    scoreColumn(),
    {
      id: "trend",
      head: "30 days",
      kind: "line",
      isWide: true,
      value: () => undefined,
      show: ({ trend }) => <Line days={trend} />,
    },
    { ...changeColumn(), isWide: false },
    ...scorecardColumns<Group>(scorecards),
    coverageColumn(),
    ...(isArea ? [counts("teams", "Teams", (group) => group.count)] : []),
    counts("apps", "Apps", appsOf),
    {
      id: "lowest",
      head: "Lowest",
      title: "The lowest score that the average hides",
      kind: "number",
      isWide: true,
      value: ({ lowest }) => lowest,
      show: ({ lowest }) => tenths(lowest),
    },
    { ...criticalColumn(), isWide: false },
  ];
}

/** A column of counts. */
function counts(id: string, head: string, value: (group: Group) => number): Column<Group> {
  return { id, head, kind: "number", isWide: true, isDown: true, value, show: (group) => count(value(group)) };
}

function Figures({ groups, env }: { readonly groups: readonly Group[]; readonly env: string }) {
  const { area } = place.value;
  const mean = (value: (group: Group) => number) =>
    groups.reduce((sum, group) => sum + value(group), 0) / groups.length;
  const sum = (value: (group: Group) => number) => groups.reduce((total, group) => total + value(group), 0);
  const changes = groups.flatMap(({ change }) => change ?? []);
  const critical = sum(({ problems }) => problems.critical);
  const high = sum(({ problems }) => problems.high);
  const apps = sum(appsOf);
  return (
    <Facts>
      <Fact label={`average of ${count(groups.length)} ${area === undefined ? "areas" : "teams"}`}>
        {points(mean(({ score }) => score))}
      </Fact>
      {changes.length > 0 && (
        <Fact label={changes.length === 1 ? "change in 30 days" : "fell in 30 days"}>
          {changes.length === 1 ? <Change by={changes[0]} /> : count(changes.filter((change) => change < -0.05).length)}
        </Fact>
      )}
      <Fact label="covered by fresh results">{percent(mean((group) => group.fresh_coverage))}</Fact>
      {apps > 0 && (
        <Fact label={<a href={hrefOf({ view: "applications", env, area })}>applications</a>}>{count(apps)}</Fact>
      )}
      <Fact label="open critical problems">
        <Open count={critical} />
      </Fact>
      <Fact label="open high problems">{count(high)}</Fact>
    </Facts>
  );
}

export function Legend() {
  return (
    <p class="legend">
      <span class="steps">
        {["0–19", "20–39", "40–59", "60–79", "80–100"].map((range, step) => (
          <span key={range} class={`heat s${step}`}>
            {range}
          </span>
        ))}
      </span>
      <span class="key">
        <span class="share">
          <span class="bar" aria-hidden="true">
            <i class="fresh" style={{ width: "50%" }} />
            <i class="stale" style={{ width: "25%" }} />
          </span>
        </span>
        solid is fresh, hatched is stale, empty never reported
      </span>
    </p>
  );
}

function appsOf(group: Group): number {
  return group.team === undefined ? group.apps : group.count;
}
