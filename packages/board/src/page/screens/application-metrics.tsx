import type { Lists } from "@maturity/client";
import { age, measuredBefore, percent, points, span } from "../format.ts";
import { Heat, whyLeftOut } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";
import { AskButton } from "../waivers/ask-button.tsx";
import type { AskedFor } from "../waivers/asked-for.ts";
import { waivedBy } from "../waivers/waived-by.ts";
import { Link } from "./link.tsx";

type App = Lists["/apps"];
type Scorecard = Lists["/scorecards"];
type MetricOfApp = NonNullable<App["metrics"]>[number];
type Registered = Scorecard["metrics"][number];

const hour = 3_600_000;

/** Every installed metric of an application, those that never reported too, by scorecard. */
export function MetricTable({ app, scorecards }: { readonly app: App; readonly scorecards: readonly Scorecard[] }) {
  return (
    <table class="metrics">
      <caption class="sr">Metrics, with why each has its score</caption>
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col" class="heat">
            Score
          </th>
          <th scope="col">Why</th>
          <th scope="col" class="number">
            Age
          </th>
          <th scope="col" class="number wide">
            Weight
          </th>
        </tr>
      </thead>
      {scorecards.map((scorecard) => (
        <ScorecardRows key={scorecard.scorecard} scorecard={scorecard} app={app} />
      ))}
    </table>
  );
}

function ScorecardRows({ scorecard, app }: { readonly scorecard: Scorecard; readonly app: App }) {
  const own = app.scorecards.find((one) => one.scorecard === scorecard.scorecard);
  const metrics = app.metrics?.filter((one) => one.scorecard === scorecard.scorecard) ?? [];
  const isLeftOut = (of: MetricOfApp) => of.state === "waived" || of.exempt_because !== undefined;
  const isWhole = metrics.length > 0 && metrics.every(isLeftOut);
  // What was reported counts in the score of the scorecard, unless it is left out.
  const reported = own ? [] : metrics.filter((one) => isWhole || one.score !== undefined);
  const exempt = reported.filter((one) => one.exempt_because !== undefined).length;
  const why = whyLeftOut({ waived: reported.length - exempt, exempt });
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup">
          {scorecard.title}
          {!isWhole && <AskButton of={askedFor(app, scorecard.scorecard)} about={scorecard.title} />}
        </th>
        <td class="heat">
          <Heat
            score={own?.score}
            waived={own?.waived}
            state={own ? "fresh" : why ? "waived" : "missing"}
            why={why || undefined}
          />
        </td>
        <td colSpan={2}>
          {own
            ? `${percent(own.reported)} reported, ${percent(own.fresh)} fresh${own.waived > 0 ? `, ${percent(own.waived)} waived` : ""}`
            : why
              ? `all that it reported is ${why}`
              : "nothing reported"}
          <bdi class="package wide">{scorecard.package}</bdi>
        </td>
        <td class="number wide">{scorecard.weight}</td>
      </tr>
      {scorecard.metrics.map((registered) => {
        const found = metrics.find(({ metric }) => metric === registered.metric);
        return (
          <MetricRow key={registered.metric} app={app} scorecard={scorecard} registered={registered} found={found} />
        );
      })}
    </tbody>
  );
}

function MetricRow({
  app,
  scorecard,
  registered,
  found,
}: {
  readonly app: App;
  readonly scorecard: Scorecard;
  readonly registered: Registered;
  readonly found: MetricOfApp | undefined;
}) {
  const { metric, title, weight } = registered;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ view: "metric", env: app.env ?? undefined, metric: `${scorecard.scorecard}.${metric}` })}>
          {title}
        </a>
        <small>{metric}</small>
        {found?.state !== "waived" && !found?.exempt_because && (
          <AskButton of={askedFor(app, scorecard.scorecard, metric)} about={metric} />
        )}
      </th>
      <td class="heat">
        <Heat score={found?.score} state={found?.state ?? "missing"} why={found?.exempt_because} isExact />
      </td>
      <td>
        <Why found={found} scorer={scorecard.package} />
      </td>
      <td class="number">
        <Age found={found} promise={registered.max_age_hours} />
        <From found={found} repo={app.repo} />
      </td>
      <td class="number wide">{weight}</td>
    </tr>
  );
}

function askedFor({ area, team, app, env }: App, scorecard: string, metric?: string): AskedFor {
  return { area, team, app, env: env ?? undefined, scorecard, metric };
}

/** @param scorer what computes scores now: an older one is named */
function Why({ found, scorer: present }: { readonly found: MetricOfApp | undefined; readonly scorer: string }) {
  if (!found || found.state === "missing")
    return <span class="soft">never reported: lowers the share reported, not the score</span>;
  const { waiver, exempt_because: because, reasons, raw, scorer, rescored } = found;
  return (
    <>
      {because && (
        <p class="reason soft" dir="auto">
          {because}
        </p>
      )}
      {waiver && (
        <p class="reason soft" dir="auto">
          {waivedBy(waiver)}
        </p>
      )}
      {reasons?.map(({ field, text }) => (
        <p key={field} class="reason">
          {text}
        </p>
      ))}
      {scorer && scorer !== present && (
        <p class="reason">
          {rescored && (
            <>
              today's rules give <b>{points(rescored.score)}</b>
            </>
          )}
          {rescored === null && "today's rules refuse the result"}
          <small>
            computed by <bdi>{scorer}</bdi>
          </small>
        </p>
      )}
      {raw && (
        <details>
          <summary>result</summary>
          <pre>{JSON.stringify(raw, undefined, 1)}</pre>
        </details>
      )}
    </>
  );
}

/** The age of the result, and the maximum age of its metric. */
function Age({ found, promise }: { readonly found: MetricOfApp | undefined; readonly promise: number | null }) {
  if (!found?.reported_at) return <span class="soft">–</span>;
  const measured = found.measured_at ?? found.reported_at;
  const apart = measuredBefore(measured, found.reported_at, Date.now());
  const isOld = found.state === "late" || found.state === "stale";
  return (
    <>
      <time dateTime={measured} title={measured} class={isOld ? "old" : undefined}>
        {age(measured, Date.now())}
      </time>
      {isOld && <span class="tag">{found.state}</span>}
      {apart && <small>{apart}</small>}
      {promise !== null && <small>good for {span(promise * hour)}</small>}
    </>
  );
}

/** The run that reported, and the repository if it is not that of the application. */
function From({ found, repo: usual }: { readonly found: MetricOfApp | undefined; readonly repo: string | null }) {
  const { pipeline_id: run, project_repo: repo } = found ?? {};
  return (
    <>
      {run && (
        <small>
          <Link to={run}>{`run ${lastPart(run)}`}</Link>
        </small>
      )}
      {repo && repo !== usual && (
        <small class="repo">
          <Link to={repo} />
        </small>
      )}
    </>
  );
}

/** Addresses of runs differ at their end. */
function lastPart(run: string): string {
  return run.split("/").filter(Boolean).at(-1) ?? run;
}
