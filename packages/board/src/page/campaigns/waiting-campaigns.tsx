import type { Lists } from "@maturity/client";
import { type Asked, type Reading, useReading } from "../data/reading.ts";
import { dayOf } from "../format.ts";
import { hrefOf } from "../place.ts";

type Campaigns = Reading<Lists["/campaigns"]> | undefined;

/** The campaigns that an application belongs to. */
export function useAppCampaigns(key: Asked<"/campaigns">): Campaigns {
  return useReading("/campaigns", key);
}

/** The campaigns that wait for an application: those whose goal it does not meet, and has to. */
export function WaitingCampaigns({
  campaigns,
  env,
}: {
  readonly campaigns: Campaigns;
  readonly env: string | undefined;
}) {
  const waiting =
    campaigns?.answer.value?.items.filter(({ state, progress }) => state === "running" && progress.left > 0) ?? [];
  if (waiting.length === 0) return null;
  return (
    <section class="card" aria-labelledby="campaigns">
      <h2 id="campaigns">Campaigns that wait for it</h2>
      <ul>
        {waiting.map(({ id, name, due, progress }) => (
          <li key={id}>
            <a href={hrefOf({ view: "campaign", env, campaign: id })}>
              <bdi>{name}</bdi>
            </a>
            <small>
              due <time dateTime={due}>{dayOf(due)}</time>
              {progress.lost > 0 && ", met once, lost again"}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
