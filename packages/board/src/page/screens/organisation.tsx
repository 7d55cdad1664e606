import type { Area, Team } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { count, percent, points } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Grid } from "../parts/grid.tsx";
import { Heading, NothingMatches } from "../parts/heading.tsx";
import { Line } from "../parts/line.tsx";
import { Change, Coverage, Fact, Facts, Heat, Open } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";

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
              <Figures groups={items} isArea={area !== undefined} />
              <Grid
                label={area === undefined ? "Areas" : "Teams"}
                rows={items}
                total={total}
                columns={columns}
                order="score"
                keyOf={({ area, team }) => `${area}\n${team}`}
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
  const heats = scorecards.map((scorecard): Column<Group> => {
    const value = (group: Group) => group.scorecards.find((one) => one.scorecard === scorecard)?.score;
    return { id: scorecard, head: scorecard, kind: "heat", value, show: (group) => <Heat score={value(group)} /> };
  });
  return [
    {
      id: "name",
      head: isArea ? "Area" : "Team",
      kind: "name",
      value: ({ area, team }) => (isArea ? area : team),
      href: ({ area, team }) => hrefOf({ env, area, team }),
    },
    {
      id: "score",
      head: "Score",
      kind: "heat",
      value: ({ score }) => score,
      show: ({ score }) => <Heat score={score} />,
    },
    {
      id: "trend",
      head: "30 days",
      kind: "line",
      isWide: true,
      value: () => undefined,
      show: ({ trend }) => <Line days={trend} />,
    },
    {
      id: "change",
      head: "Change",
      title: "In the last 30 days",
      kind: "change",
      value: ({ change }) => change,
      show: ({ change }) => <Change by={change} />,
    },
    ...heats.map((column) => ({ ...column, isWide: true })),
    {
      id: "coverage",
      head: "Fresh",
      title: "The share of the weight that reported and is not stale; hatched is stale, empty never reported",
      kind: "coverage",
      isWide: true,
      value: ({ fresh_coverage }) => fresh_coverage,
      show: ({ coverage, fresh_coverage }) => <Coverage coverage={coverage} fresh={fresh_coverage} />,
    },
    ...(isArea ? [number("teams", "Teams", (group) => group.count)] : []),
    number("apps", "Apps", (group) => appsOf(group)),
    number("lowest", "Lowest", ({ lowest }) => lowest, "The lowest score that the average hides"),
    {
      id: "critical",
      head: "Critical",
      title: "Open critical problems",
      kind: "number",
      isDown: true,
      value: ({ problems }) => problems.critical,
      show: ({ problems }) => <Open count={problems.critical} />,
    },
  ];
}

function number(id: string, head: string, value: (group: Group) => number | undefined, title?: string): Column<Group> {
  const show = (group: Group) => {
    const found = value(group);
    return found === undefined ? "–" : points(found);
  };
  return { id, head, kind: "number", isWide: true, isDown: id !== "lowest", value, show, ...(title && { title }) };
}

function Figures({ groups, isArea }: { readonly groups: readonly Group[]; readonly isArea: boolean }) {
  const mean = (value: (group: Group) => number) =>
    groups.reduce((sum, group) => sum + value(group), 0) / groups.length;
  const sum = (value: (group: Group) => number) => groups.reduce((total, group) => total + value(group), 0);
  const changes = groups.flatMap(({ change }) => change ?? []);
  const critical = sum(({ problems }) => problems.critical);
  const high = sum(({ problems }) => problems.high);
  const apps = sum(appsOf);
  return (
    <Facts>
      <Fact label={`average of ${count(groups.length)} ${isArea ? "teams" : "areas"}`}>
        {points(mean(({ score }) => score))}
      </Fact>
      {changes.length > 0 && (
        <Fact label={changes.length === 1 ? "change in 30 days" : "fell in 30 days"}>
          {changes.length === 1 ? <Change by={changes[0]} /> : count(changes.filter((change) => change < -0.05).length)}
        </Fact>
      )}
      <Fact label="covered by fresh results">{percent(mean((group) => group.fresh_coverage))}</Fact>
      {apps > 0 && <Fact label="applications">{count(apps)}</Fact>}
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
