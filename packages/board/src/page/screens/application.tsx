import type { Lists } from "../data/lists.ts";
import { useReading } from "../data/reading.ts";
import { age, percent, points } from "../format.ts";
import { Heading, NothingMatches } from "../parts/heading.tsx";
import { Change, Coverage, Fact, Facts, Open } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { AppHistory } from "./application-history.tsx";
import { MetricTable } from "./application-metrics.tsx";
import { AppProblems } from "./application-problems.tsx";
import { Link } from "./link.tsx";
import { Trend } from "./trend.tsx";

/** Why an application has its score. */
export function ApplicationScreen({ env }: { readonly env: string }) {
  const { area, team, app } = place.value;
  const key = { area, team, app, env };
  const apps = useReading("/apps", { ...key, detail: true });
  const scorecards = useReading("/scorecards", {});
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
      <Read reading={apps}>
        {({ items: [found] }) =>
          found ? (
            <Read reading={scorecards}>{({ items }) => <Application app={found} scorecards={items} />}</Read>
          ) : (
            <NothingMatches what="This application has reported nothing" env={env} />
          )
        }
      </Read>
    </>
  );
}

function Application({
  app,
  scorecards,
}: {
  readonly app: Lists["/apps"];
  readonly scorecards: readonly Lists["/scorecards"][];
}) {
  return (
    <>
      <Figures app={app} />
      <div class="columns">
        <MetricTable app={app} scorecards={scorecards} />
        <aside>
          <AppProblems app={app} />
          <AppHistory app={app} />
        </aside>
      </div>
    </>
  );
}

const daysOfLine = 90;

function Figures({ app }: { readonly app: Lists["/apps"] }) {
  const { area, team, env, score, change, coverage, fresh_coverage, problems, oldest_reported_at, repo } = app;
  const now = Date.now();
  return (
    <>
      <Facts>
        <Fact label="score">{points(score)}</Fact>
        {change !== undefined && (
          <Fact label={<a href={hrefOf({ view: "changes", env, area, team })}>in 30 days</a>}>
            <Change by={change} />
          </Fact>
        )}
        <Fact label={`fresh, ${percent(coverage)} reported`}>
          <Coverage coverage={coverage} fresh={fresh_coverage} />
        </Fact>
        <Fact label="open critical problems">
          <Open count={problems.critical} />
        </Fact>
        <Fact label="oldest result">{age(oldest_reported_at, now)}</Fact>
        <Fact label={`${daysOfLine} days`}>
          <Trend of={app} days={daysOfLine} width={180} height={34} />
        </Fact>
      </Facts>
      {repo && (
        <p class="soft">
          <Link to={repo} />
        </p>
      )}
    </>
  );
}
