import { useMemo } from "preact/hooks";
import { useReading } from "../data/reading.ts";
import type { Column } from "../parts/column.ts";
import { Change, Coverage, Heat, Open } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

/** The columns that say which application a row is about. */
export function namesOf<Row extends { readonly area: string; readonly team: string; readonly app: string }>(
  env: string,
): readonly [Column<Row>, ...Column<Row>[]] {
  return [
    {
      id: "name",
      head: "Application",
      kind: "name",
      value: ({ app }) => app,
      href: ({ area, team, app }) => hrefOf({ env, area, team, app }),
    },
    {
      id: "team",
      head: "Team",
      kind: "text",
      isWide: true,
      value: ({ team }) => team,
      href: ({ area, team }) => hrefOf({ env, area, team }),
    },
    areaColumn(env),
  ];
}

export function areaColumn<Row extends { readonly area: string }>(env: string): Column<Row> {
  return {
    id: "area",
    head: "Area",
    kind: "text",
    isWide: true,
    value: ({ area }) => area,
    href: ({ area }) => hrefOf({ env, area }),
  };
}

export function scoreColumn<Row extends { readonly score: number | null }>(): Column<Row> {
  return {
    id: "score",
    head: "Score",
    kind: "heat",
    value: ({ score }) => score ?? undefined,
    show: ({ score }) => <Heat score={score ?? undefined} />,
  };
}

export function changeColumn<Row extends { readonly change?: number }>(): Column<Row> {
  return {
    id: "change",
    head: "Change",
    title: "In the last 30 days",
    kind: "change",
    value: ({ change }) => change,
    show: ({ change }) => <Change by={change} />,
  };
}

/** The names of the registered scorecards, in their order. It stays the same array while they do. */
export function useScorecardNames(): readonly string[] {
  const registered = useReading("/scorecards", {})?.answer.value?.items;
  return useMemo(() => registered?.map(({ scorecard }) => scorecard) ?? [], [registered]);
}

/** A column for the score of each scorecard. */
export function scorecardColumns<
  Row extends { readonly scorecards: readonly { readonly scorecard: string; readonly score: number }[] },
>(scorecards: readonly string[]): readonly Column<Row>[] {
  return scorecards.map((scorecard) => {
    const value = (row: Row) => row.scorecards.find((one) => one.scorecard === scorecard)?.score;
    return {
      ...{ id: scorecard, head: scorecard, kind: "heat", isWide: true, value },
      show: (row) => <Heat score={value(row)} />,
    };
  });
}

export function coverageColumn<
  Row extends { readonly coverage: number; readonly fresh_coverage: number; readonly waived: number },
>(): Column<Row> {
  return {
    id: "coverage",
    head: "Fresh",
    title: "The share of the weight that reported and is not stale",
    kind: "coverage",
    isWide: true,
    value: ({ fresh_coverage }) => fresh_coverage,
    show: ({ coverage, fresh_coverage, waived }) => (
      <Coverage coverage={coverage} fresh={fresh_coverage} waived={waived} />
    ),
  };
}

export function criticalColumn<Row extends { readonly problems: { readonly critical: number } }>(): Column<Row> {
  return {
    id: "critical",
    head: "Critical",
    title: "Open critical problems",
    kind: "number",
    isWide: true,
    isDown: true,
    value: ({ problems }) => problems.critical,
    show: ({ problems }) => <Open count={problems.critical} />,
  };
}
