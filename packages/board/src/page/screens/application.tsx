import type { Lists, Target } from "@maturity/client";
import { useAppCampaigns, WaitingCampaigns } from "../campaigns/waiting-campaigns.tsx";
import { useReading } from "../data/reading.ts";
import { age, percent, points } from "../format.ts";
import { CopyLink } from "../parts/copy.tsx";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Heading } from "../parts/heading.tsx";
import { partOf } from "../parts/part.tsx";
import {
  Change,
  ExemptFact,
  Fact,
  Facts,
  None,
  OpenFact,
  thin,
  WaivedFact,
  WeightBar,
  whyLeftOut,
} from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { underTrend, useDays } from "../time/days.ts";
import { Time } from "../time/time.tsx";
import { FixFirst } from "./application-gains.tsx";
import { AppHistory, useAppHistory } from "./application-history.tsx";
import { MetricTable } from "./application-metrics.tsx";
import { AppProblems, useAppProblems } from "./application-problems.tsx";
import { SilentApplication } from "./application-silent.tsx";
import { Link } from "./link.tsx";

/** Below all else, so that nothing moves when it comes. */
const Badges = partOf(
  async () => (await import("../time/part.ts")).Badges,
  () => null,
);

/** All that the screen shows, asked for at once. */
function useApplication(key: { readonly [Name in keyof Target]: string | undefined }) {
  return {
    apps: useReading("/apps", { ...key, detail: true }),
    scorecards: useReading("/scorecards", {}),
    problems: useAppProblems(key),
    history: useAppHistory(key),
    campaigns: useAppCampaigns(key),
    days: useDays(key),
  };
}

type Readings = ReturnType<typeof useApplication>;

/** Why an application has its score. */
export function ApplicationScreen({ env }: { readonly env: string }) {
  const { area, team, app } = place.value;
  const readings = useApplication({ area, team, app, env });
  return (
    <>
      <Heading
        trail={[
          { name: "Organisation", to: { env } },
          { name: area ?? "", to: { env, ...(area && { area }) } },
          { name: team ?? "", to: { env, ...(area && { area }), ...(team && { team }) } },
        ]}
      >
        <bdi>{app}</bdi>
      </Heading>
      <Read reading={underTrend(readings.apps, readings.days)} hasFigures>
        {({ items: [found] }) =>
          found ? (
            <Read reading={readings.scorecards} hasFigures>
              {({ items }) => <Application app={found} scorecards={items} readings={readings} />}
            </Read>
          ) : (
            <Elsewhere what="This application has reported nothing" env={env}>
              <SilentApplication env={env} />
            </Elsewhere>
          )
        }
      </Read>
    </>
  );
}

function Application({
  app,
  scorecards,
  readings: { problems, history, campaigns, days },
}: {
  readonly app: Lists["/apps"];
  readonly scorecards: readonly Lists["/scorecards"][];
  readonly readings: Readings;
}) {
  return (
    <>
      <Figures app={app} />
      {app.env !== null && (
        <Time
          of={{ area: app.area, team: app.team, app: app.app, env: app.env }}
          days={days}
          changes={history?.known ?? []}
        />
      )}
      <div class="columns">
        <FixFirst app={app} scorecards={scorecards} />
        <MetricTable app={app} scorecards={scorecards} />
        <aside>
          <WaitingCampaigns campaigns={campaigns} env={app.env ?? undefined} />
          <AppProblems reading={problems} />
          <AppHistory history={history} />
          {app.env !== null && <Badges target={{ area: app.area, team: app.team, app: app.app, env: app.env }} />}
        </aside>
      </div>
    </>
  );
}

function Figures({ app }: { readonly app: Lists["/apps"] }) {
  const { area, team, score, level, change, reported, waived, problems, oldest_reported_at, repo } = app;
  const env = app.env ?? undefined;
  const now = Date.now();
  const hasResults = oldest_reported_at !== null;
  return (
    <>
      <Facts>
        <Fact label={app.thin ? <span title={thin}>thin score, {percent(reported)} reported</span> : "score"}>
          {score !== null ? points(score) : hasResults ? whyLeftOut(app) : <None />}
        </Fact>
        {level && <Fact label="level">{level.name ?? <None />}</Fact>}
        {change !== undefined && (
          <Fact label={<a href={hrefOf({ view: "changes", env, area, team, q: app.app, small: "1" })}>in 30 days</a>}>
            <Change by={change} />
          </Fact>
        )}
        <Fact label={`fresh, ${percent(reported)} reported`}>
          <WeightBar {...app} />
        </Fact>
        <WaivedFact share={waived} to={hrefOf({ view: "waivers", env, area, team, app: app.app })} />
        <ExemptFact share={app.exempt} />
        <OpenFact severity="critical" problems={problems.critical} />
        {hasResults && <Fact label="oldest result">{age(oldest_reported_at, now)}</Fact>}
      </Facts>
      <p class="soft about">
        {score === null && (
          <span>
            {hasResults ? `All that it reported is ${whyLeftOut(app)}` : "It has reported only problems"}, so it has no
            score, and counts in no average.
          </span>
        )}
        {level?.next && <span>next: {level.next.unmet}</span>}
        {repo && <Link to={repo} />}
        {env && (
          <a class="on-screen" href={hrefOf({ view: "compare", env, area, team, app: app.app })}>
            Compare with an application
          </a>
        )}
        <span class="on-screen">
          <CopyLink />
        </span>
      </p>
    </>
  );
}
