import type { Lists } from "@maturity/client";
import type { Answer } from "../data/reading.ts";
import { plural } from "../format.ts";
import { hrefOf, place } from "../place.ts";
import { FirstReport } from "./first-report.tsx";

/** Some of the applications of a team that are registered and have never reported, and how the first would. */
export function SilentApplications({
  env,
  apps,
}: {
  readonly env: string;
  readonly apps: Answer<Lists["/apps"]> | undefined;
}) {
  const [first] = apps?.items ?? [];
  if (!apps || !first) return null;
  const { area, team } = place.value;
  const rest = apps.total - apps.items.length;
  return (
    <section class="card silent" aria-labelledby="silent">
      <h2 id="silent">Not reporting</h2>
      <p class="soft">
        {plural(apps.total, "application is", "applications are")} registered and never reported anything.
      </p>
      <ul class="names">
        {apps.items.map(({ app }) => (
          <li key={app}>
            <a href={hrefOf({ env, area, team, app })}>
              <bdi>{app}</bdi>
            </a>
          </li>
        ))}
        {rest > 0 && (
          <li>
            <a href={hrefOf({ view: "applications", env, area, team, silent: "1" })}>
              and {plural(rest, "more", "more")}
            </a>
          </li>
        )}
      </ul>
      <FirstReport of={{ ...first, env }}>
        <p class="soft">
          The pipeline of <bdi>{first.app}</bdi> sends the report of a tool:
        </p>
      </FirstReport>
    </section>
  );
}
