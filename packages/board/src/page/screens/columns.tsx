import type { Lists } from "@maturity/client";
import type { Titled } from "../data/scorecards.ts";
import { age, measuredBefore } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { type AppLevel, type LevelCount, Levels, levelsText } from "../parts/level.tsx";
import { Change, Heat, None, Open, WeightBar } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

/** The height of a narrow row, in pixels: a name with its team below. */
export const narrowRowHeight = 62;

/**
 * The columns that say which application a row is about.
 *
 * @param isNarrow whether the team stands below the name, since its column has no room
 */
export function namesOf<Row extends { readonly area: string; readonly team: string; readonly app: string }>(
  env: string,
  isNarrow = false,
): readonly [Column<Row>, ...Column<Row>[]] {
  return [
    {
      id: "name",
      head: "Application",
      kind: "name",
      value: ({ app }) => app,
      ...(isNarrow && {
        show: ({ team, app }) => (
          <>
            <bdi>{breakable(app)}</bdi>
            <small class="below">
              <bdi>{team}</bdi>
            </small>
          </>
        ),
      }),
      href: ({ area, team, app }) => hrefOf({ env, area, team, app }),
    },
    {
      id: "team",
      head: "Team",
      kind: "text",
      isMinor: true,
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
    isMinor: true,
    value: ({ area }) => area,
    href: ({ area }) => hrefOf({ env, area }),
  };
}

/** The score of a metric, with how old it is by what the metric allows. */
export function resultColumn(): Column<Lists["/scores"]> {
  return {
    id: "score",
    head: "Score",
    kind: "heat",
    value: ({ score }) => score,
    show: ({ score, state, waived, exempt_because }) => (
      <Heat score={score} state={waived && !exempt_because ? "waived" : state} why={exempt_because ?? undefined} />
    ),
  };
}

/** How old the score of a metric is by what the metric allows, and whether it counts. */
export function stateColumn(): Column<Lists["/scores"]> {
  return {
    ...{ id: "state", head: "State", kind: "word", value: ({ state }) => state },
    show: ({ state, waived, exempt_because }) =>
      exempt_because || waived ? (
        <span class="tag" title={exempt_because ?? state}>
          {exempt_because ? "exempt" : "waived"}
        </span>
      ) : (
        state
      ),
  };
}

/** How long ago a metric was measured. */
export function ageColumn(): Column<Lists["/scores"]> {
  return {
    id: "measured_at",
    head: "Age",
    kind: "number",
    isDown: true,
    rank: ({ measured_at }) => -Date.parse(measured_at),
    value: ({ measured_at }) => measured_at,
    show: ({ measured_at, reported_at }) => (
      <time title={measuredBefore(measured_at, reported_at, Date.now()) ?? measured_at}>
        {age(measured_at, Date.now())}
      </time>
    ),
  };
}

/** The level of an application, with what the next one lacks. */
export function levelColumn<Row extends { readonly level: AppLevel | null }>(): Column<Row> {
  return {
    id: "level",
    head: "Level",
    kind: "word",
    isDown: true,
    rank: ({ level }) => level?.rank,
    value: ({ level }) => level?.name ?? undefined,
    show: ({ level }) => <span title={level?.next?.unmet}>{level?.name ?? <None />}</span>,
  };
}

/** Which levels the applications of a team or an area have. In order it is by the mean of their ranks. */
export function levelsColumn<Row extends { readonly levels: readonly LevelCount[] }>(): Column<Row> {
  return {
    id: "levels",
    head: "Levels",
    title: "The share of the applications at each level: the stronger, the higher",
    kind: "levels",
    isMinor: true,
    isDown: true,
    rank: ({ levels }) => meanRank(levels),
    value: ({ levels }) => (levels.length > 0 ? levelsText(levels) : undefined),
    show: ({ levels }) => <Levels levels={levels} />,
  };
}

function meanRank(levels: readonly LevelCount[]): number | undefined {
  const all = levels.reduce((sum, { count }) => sum + count, 0);
  return all === 0 ? undefined : levels.reduce((sum, { rank, count }) => sum + rank * count, 0) / all;
}

export function scoreColumn<
  Row extends {
    readonly score: number | null;
    readonly waived: number;
    readonly exempt: number;
    readonly thin?: boolean;
    readonly oldest_reported_at?: string | null;
  },
>(): Column<Row> {
  return {
    id: "score",
    head: "Score",
    kind: "heat",
    value: ({ score }) => score ?? undefined,
    // An application with a result has a score, unless none of its results counts.
    show: (row) => (
      <Heat
        score={row.score ?? undefined}
        waived={row.waived}
        whole={row.oldest_reported_at !== null && row}
        isThin={row.thin}
      />
    ),
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

/** Shares that add up to a whole may miss it by a hair. */
const almostAll = 0.999;

/** A column for the score of each scorecard. */
export function scorecardColumns<
  Row extends {
    readonly scorecards: readonly { readonly scorecard: string; readonly score: number; readonly waived: number }[];
    readonly unscored_scorecards: readonly {
      readonly scorecard: string;
      readonly waived: number;
      readonly exempt: number;
    }[];
  },
>(scorecards: readonly Titled[]): readonly Column<Row>[] {
  return scorecards.map(({ scorecard, title }) => {
    const own = (row: Row) => row.scorecards.find((one) => one.scorecard === scorecard);
    const whole = (row: Row) =>
      row.unscored_scorecards.find((one) => one.scorecard === scorecard && one.waived + one.exempt > almostAll);
    return {
      ...{ id: scorecard, head: title, title: scorecard, kind: "heat", isMinor: true, value: (row) => own(row)?.score },
      show: (row) => <Heat score={own(row)?.score} waived={own(row)?.waived} whole={whole(row)} />,
    };
  });
}

export function freshColumn<Row extends Parameters<typeof WeightBar>[0]>(): Column<Row> {
  return {
    id: "fresh",
    head: "Fresh",
    title: "The share of the weight that reported and is not stale",
    kind: "shares",
    isMinor: true,
    value: ({ fresh }) => fresh,
    show: WeightBar,
  };
}

export function criticalColumn<Row extends { readonly problems: { readonly critical: number } }>(): Column<Row> {
  return {
    id: "critical",
    head: "Critical",
    title: "Open critical problems",
    kind: "number",
    isMinor: true,
    isDown: true,
    value: ({ problems }) => problems.critical,
    show: ({ problems }) => <Open problems={problems.critical} />,
  };
}
