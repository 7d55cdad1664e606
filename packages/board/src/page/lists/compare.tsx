import type { Lists } from "@maturity/client";
import { Fragment } from "preact";
import { type Metric, metricsOf } from "../data/metrics.ts";
import { type Reading, useReading } from "../data/reading.ts";
import { CopyLink } from "../parts/copy.tsx";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { breakable } from "../parts/grid.tsx";
import { Heading } from "../parts/heading.tsx";
import { Legend } from "../parts/legend.tsx";
import { Change, Heat, None, type State } from "../parts/score.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { Choice } from "./compare-choice.tsx";
import { namesIn, otherOf } from "./other.ts";

/** A team or an application that is compared. */
interface Side {
  readonly names: Names;
  readonly href: string;
  readonly score: number | null;
  readonly thin: boolean;
  readonly scoreOf: (metric: Metric) => { readonly score: number | undefined; readonly state: State };
}

/** Two teams, or two applications, side by side by metric. */
export function CompareScreen({ env }: { readonly env: string }) {
  const { area, team, app, other } = place.value;
  const second = other === undefined ? undefined : namesIn(other);
  const scorecards = useReading("/scorecards", {});
  const first = useSide(env, { area, team, app });
  const beside = useSide(env, second ?? {});
  const missing = (first.side && second) ?? { area, team, app };
  return (
    <>
      <Heading
        trail={[
          {
            name: app ?? team ?? area ?? "Organisation",
            to: { env, ...(area && { area }), ...(team && { team }), ...(app && { app }) },
          },
        ]}
      >
        Side by side
      </Heading>
      <Choice env={env} />
      {second && !(team && second.team) && (
        <Notice title="Nothing to compare">
          <p>
            <b dir="auto">{team ? other : (area ?? "The organisation")}</b> names no team and no application.
          </p>
        </Notice>
      )}
      {team && second?.team && (
        <Read reading={scorecards}>
          {({ items }) => (
            <Read reading={first.reading}>
              {() => (
                <Read reading={beside.reading}>
                  {() =>
                    first.side && beside.side ? (
                      <Table one={first.side} other={beside.side} metrics={metricsOf(items)} />
                    ) : (
                      <Elsewhere
                        what="No score to compare"
                        env={env}
                        of={missing}
                        to={(now) => ({
                          ...place.peek(),
                          ...(first.side ? { other: otherOf({ team: null, app: null, ...now }) } : now),
                        })}
                      >
                        <Notice title="Nothing to compare">
                          <p>
                            <b dir="auto">{pathOf(missing)}</b> has no score in <bdi>{env}</bdi>.
                          </p>
                        </Notice>
                      </Elsewhere>
                    )
                  }
                </Read>
              )}
            </Read>
          )}
        </Read>
      )}
    </>
  );
}

type Names = { readonly [Name in "area" | "team" | "app"]?: string | undefined };

function pathOf({ area, team, app }: Names): string {
  return [area, team, app].filter(Boolean).join("/");
}

/** The last of the names, or all of them where two have the same last one. */
function shortest(side: Side, other: Side): string {
  const last = ({ names: { team, app } }: Side) => app ?? team ?? "";
  return last(side) === last(other) ? pathOf(side.names) : last(side);
}

function useSide(env: string, { area, team, app }: Names) {
  const key = { env, area, team };
  const isThere = area !== undefined && team !== undefined;
  const teams = useReading("/teams", isThere && app === undefined ? { ...key, metrics: true } : undefined);
  const apps = useReading("/apps", isThere && app !== undefined ? { ...key, app, detail: true } : undefined);
  const [foundTeam] = teams?.answer.value?.items ?? [];
  const [foundApp] = apps?.answer.value?.items ?? [];
  const found = app === undefined ? foundTeam && ofTeam(foundTeam) : foundApp && ofApp(foundApp);
  const side: Side | undefined = found && {
    names: { area, team, app },
    href: hrefOf({ env, area, team, app }),
    ...found,
  };
  return { reading: (app === undefined ? teams : apps) as Reading<object> | undefined, side };
}

function ofTeam({ score, thin, metrics = [] }: Lists["/teams"]): Omit<Side, "names" | "href"> {
  return {
    score,
    thin,
    scoreOf({ scorecard, metric }) {
      const own = metrics.find((one) => one.scorecard === scorecard && one.metric === metric);
      return {
        score: own?.score ?? undefined,
        state:
          own?.score !== null || own.waived + own.exempt === 0 ? "fresh" : own.waived > 0 ? "waived" : "not_applicable",
      };
    },
  };
}

function ofApp({ score, thin, metrics = [] }: Lists["/apps"]): Omit<Side, "names" | "href"> {
  return {
    score,
    thin,
    scoreOf({ scorecard, metric }) {
      const own = metrics.find((one) => one.scorecard === scorecard && one.metric === metric);
      return { score: own?.score, state: own?.state ?? "missing" };
    },
  };
}

function Table({
  one,
  other,
  metrics,
}: {
  readonly one: Side;
  readonly other: Side;
  readonly metrics: readonly Metric[];
}) {
  return (
    <>
      <table class="standings">
        <caption class="sr">Scores by metric</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {[one, other].map((side, index) => (
              <th key={index === 0 ? "one" : "other"} scope="col" class="heat">
                <a href={side.href}>
                  <bdi>{breakable(index === 0 ? shortest(one, other) : shortest(other, one))}</bdi>
                </a>
              </th>
            ))}
            <th scope="col" class="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          <Row
            title="Score"
            left={{ score: one.score ?? undefined, thin: one.thin }}
            right={{ score: other.score ?? undefined, thin: other.thin }}
          />
          {metrics.map((metric, index) => (
            <Fragment key={metric.id}>
              {metrics[index - 1]?.scorecard !== metric.scorecard && (
                <tr class="group">
                  <th scope="rowgroup" colSpan={4}>
                    {metric.of}
                  </th>
                </tr>
              )}
              <Row title={metric.title} left={one.scoreOf(metric)} right={other.scoreOf(metric)} />
            </Fragment>
          ))}
        </tbody>
      </table>
      <p class="on-screen">
        <CopyLink />
      </p>
      <Legend />
    </>
  );
}

interface CellOf {
  readonly score: number | undefined;
  readonly state?: State;
  readonly thin?: boolean;
}

/** The difference is that of the second to the first. */
function Row({ title, left, right }: { readonly title: string; readonly left: CellOf; readonly right: CellOf }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {[left, right].map(({ score, state = "missing", thin }, index) => (
        <td key={index === 0 ? "left" : "right"} class="heat">
          <Heat score={score} state={state} isThin={thin} isExact />
        </td>
      ))}
      <td class="number">
        {left.score === undefined || right.score === undefined ? <None /> : <Change by={right.score - left.score} />}
      </td>
    </tr>
  );
}
