import type { App, RegisteredApp } from "@maturity/client";
import { useReading } from "../data/reading.ts";
import { date } from "../format.ts";
import { NothingMatches } from "../parts/heading.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { FirstReport } from "./first-report.tsx";
import { Link } from "./link.tsx";

/** Why an application has no score in an environment: it reports in others, it never reported, or it is retired. */
export function SilentApplication({ env }: { readonly env: string }) {
  const { area, team, app } = place.value;
  const anywhere = useReading("/apps", { area, team, app });
  const retired = useReading("/registry", { area, team, app, retired: true });
  return (
    <Read reading={retired}>
      {({ items: gone }) => {
        const found = gone.find((one) => one.env === null || one.env === env);
        if (found?.retired_at) return <Retired {...found} />;
        return (
          <Read reading={anywhere}>
            {({ items }) => {
              const [first] = items;
              if (!first) return <NothingMatches what="This application has reported nothing" env={env} />;
              return first.env === null ? <NeverReported app={first} env={env} /> : <InOthers apps={items} env={env} />;
            }}
          </Read>
        );
      }}
    </Read>
  );
}

function Retired({ env, retired_at, reason }: RegisteredApp) {
  return (
    <Notice title="Retired">
      <p>
        This {env === null ? "application" : "environment"} was retired on {date(retired_at ?? "")}
        {reason && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
        . What was stored of it is kept, and <code>maturity app restore</code> brings it back.
      </p>
    </Notice>
  );
}

function InOthers({ apps, env }: { readonly apps: readonly App[]; readonly env: string }) {
  return (
    <Notice title="Nothing here">
      <p>
        This application has reported nothing in <bdi>{env}</bdi>. It reports in{" "}
        {apps.map(({ env: other }, index) => (
          <span key={other}>
            {index > 0 && ", "}
            <a href={hrefOf({ ...place.value, env: other ?? undefined })}>
              <bdi>{other}</bdi>
            </a>
          </span>
        ))}
        .
      </p>
    </Notice>
  );
}

function NeverReported({ app, env }: { readonly app: App; readonly env: string }) {
  const { owner, repo, tier, labels } = app;
  const facts = Object.entries({ owner, tier, ...labels }).filter(([, value]) => value !== null);
  return (
    <Notice title="Not reporting">
      <p>This application is registered, and has never reported anything.</p>
      <FirstReport of={{ ...app, env }}>
        <p>Its pipeline sends the report of a tool:</p>
      </FirstReport>
      {facts.length > 0 && (
        <dl class="known">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {repo && (
        <p>
          <Link to={repo} />
        </p>
      )}
    </Notice>
  );
}
