import type { Lists, Waiver } from "@maturity/client";
import { coversTarget } from "@maturity/core";
import { useMemo } from "preact/hooks";
import { type Metric, metricsOf } from "../data/metrics.ts";
import { type Answer, firstItems, isAwaited, useReading } from "../data/reading.ts";
import { percent, plural, points } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Grid } from "../parts/grid.tsx";
import { Heading } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { Fact, Facts, Heat, OpenFact, WaivedFact } from "../parts/score.tsx";
import { SheetLink } from "../parts/sheet-link.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { ChangeFact } from "../time/change-fact.tsx";
import { underTrend, useDays } from "../time/days.ts";
import { Time } from "../time/time.tsx";
import { waivedBy } from "../waivers/waived-by.ts";
import { changeColumn, criticalColumn, freshColumn, levelColumn, scoreColumn } from "./columns.tsx";
import { GroupFixFirst } from "./group-gains.tsx";
import { LevelFilter } from "./level-filter.tsx";
import { SilentApplications } from "./team-silent.tsx";

/** An application with its scores by `<scorecard>.<metric>`, and the waivers of its metrics, what lasts longest first. */
type Row = Lists["/apps"] & {
  /** Are all of its scores known? Otherwise what is not among them may have been reported. */
  readonly isWhole: boolean;
  readonly scores: ReadonlyMap<string, Pick<Lists["/scores"], "score" | "state" | "exempt_because">>;
  readonly waivers: readonly Waiver[];
};

/** The most applications without a report that are named. */
const namedSilent = 20;

/** The applications of a team by their metrics. */
export function TeamScreen({ env }: { readonly env: string }) {
  const { area, team, level, all } = place.value;
  const query = { env, area, team, limit: firstItems };
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const scorecards = useReading("/scorecards", {});
  const metrics = useMemo(() => metricsOf(scorecards?.answer.value?.items ?? []), [scorecards?.answer.value]);
  const apps = useReading("/apps", { ...query, level }, { upTo });
  const scores = useReading("/scores", query, { upTo: upTo * Math.max(metrics.length, 1) });
  const teams = useReading("/teams", { env, area, team, detail: true });
  const waivers = useReading("/waivers", query);
  const silent = useReading("/apps", { area, team, reported: false, limit: namedSilent }, { upTo: namedSilent });
  const days = useDays({ area, team, env });
  const isCompared = apps?.answer.value?.items.some(({ change }) => change !== undefined) ?? false;
  const isLevelled = apps?.answer.value?.items.some(({ level }) => level !== null) ?? false;
  const columns = useMemo(
    () => columnsOf(metrics, env, isCompared, isLevelled),
    [metrics, env, isCompared, isLevelled],
  );
  const rows = useMemo(
    () => rowsOf(apps?.answer.value?.items ?? [], scores?.answer.value, waivers?.answer.value?.items ?? []),
    [apps?.answer.value, scores?.answer.value, waivers?.answer.value],
  );
  const own = teams?.answer.value?.items[0];
  const shown = underTrend(apps, days, [teams, scorecards]);
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
      <Read reading={shown} hasFigures>
        {({ items, total }) =>
          items.length === 0 && level === undefined ? (
            <Read reading={silent}>
              {(registered) =>
                registered.total > 0 ? null : <Elsewhere what="No application of this team has reported" env={env} />
              }
            </Read>
          ) : (
            <>
              {own && <Figures team={own} />}
              <SheetLink />
              <GroupFixFirst group={own} />
              {area !== undefined && <Time of={{ area, team, env }} days={days} />}
              <div class="chips">{own && <LevelFilter groups={[own]} />}</div>
              <Read reading={scores}>
                {() => (
                  <>
                    <Grid
                      of="application"
                      label="Applications"
                      rows={rows}
                      total={total}
                      columns={columns}
                      order="score"
                    />
                    <Legend />
                  </>
                )}
              </Read>
            </>
          )
        }
      </Read>
      {shown?.answer.value && !isAwaited(scores) && <SilentApplications env={env} apps={silent?.answer.value} />}
    </>
  );
}

function rowsOf(
  apps: readonly Lists["/apps"][],
  scores: Answer<Lists["/scores"]> | undefined,
  waivers: readonly Waiver[],
): readonly Row[] {
  const scoresOf = new Map<string, Map<string, Lists["/scores"]>>();
  for (const one of scores?.items ?? []) {
    const own = scoresOf.get(one.app) ?? new Map();
    own.set(`${one.scorecard}.${one.metric}`, one);
    scoresOf.set(one.app, own);
  }
  const isWhole = scores !== undefined && scores.items.length >= scores.total;
  const longestFirst = waivers.toSorted((a, b) => endOf(b) - endOf(a));
  return apps.map((app) => ({
    ...app,
    isWhole,
    scores: scoresOf.get(app.app) ?? new Map(),
    waivers: longestFirst.filter(
      (waiver) => waiver.scorecard !== null && coversTarget(waiver, { ...app, env: app.env ?? "" }),
    ),
  }));
}

/** When a waiver ends, in milliseconds since 1970. */
function endOf({ expires_at }: Waiver): number {
  return expires_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(expires_at);
}

function columnsOf(
  metrics: readonly Metric[],
  env: string,
  isCompared: boolean,
  isLevelled: boolean,
): readonly Column<Row>[] {
  const hrefOfRow = ({ area, team, app }: Row) => hrefOf({ env, area, team, app });
  return [
    { id: "name", head: "Application", kind: "name", value: ({ app }) => app, href: hrefOfRow },
    scoreColumn(),
    ...(isLevelled ? [{ ...levelColumn<Row>(), isMinor: true }] : []),
    ...(isCompared ? [{ ...changeColumn<Row>(), isMinor: true }] : []),
    ...metrics.map(
      ({ id, scorecard, metric, title, of }, index): Column<Row> => ({
        id,
        head: title,
        title: `${scorecard}.${metric}`,
        kind: "cell",
        ...(metrics[index - 1]?.scorecard !== scorecard && {
          group: { name: of, columns: metrics.filter((one) => one.scorecard === scorecard).length },
        }),
        value: ({ scores }) => scores.get(id)?.score,
        show: ({ scores, isWhole, waivers }) => {
          const { score, state = "missing", exempt_because: why } = scores.get(id) ?? {};
          const waiver = waivers.find((one) => one.scorecard === scorecard && (one.metric ?? metric) === metric);
          if (waiver && !why) return <Heat score={score} state="waived" why={waivedBy(waiver)} />;
          return score === undefined && !isWhole ? null : <Heat score={score} state={state} why={why ?? undefined} />;
        },
      }),
    ),
    freshColumn(),
    criticalColumn(),
  ];
}

function Figures({ team }: { readonly team: Lists["/teams"] }) {
  const { env, area, team: name } = team;
  return (
    <Facts>
      <Fact label={`average of ${plural(team.count, "application")}${team.thin ? ", thin" : ""}`}>
        {points(team.score)}
      </Fact>
      <ChangeFact by={team.change} to={hrefOf({ view: "changes", env, area, team: name })} />
      <Fact
        label={
          <>
            <a href={hrefOf({ view: "stale", env, area, team: name })}>covered by fresh results</a>,{" "}
            {percent(team.reported)} reported
          </>
        }
      >
        {percent(team.fresh)}
      </Fact>
      <WaivedFact share={team.waived} to={hrefOf({ view: "waivers", env, area, team: name })} />
      <Fact label="lowest application">{points(team.lowest)}</Fact>
      <OpenFact
        severity="critical"
        problems={team.problems.critical}
        to={hrefOf({ view: "problems", env, area, team: name, severity: "critical" })}
      />
    </Facts>
  );
}
