import type { CampaignScope } from "../model/campaign.ts";
import type { RegisteredApp } from "../store/apps.ts";
import { separator } from "../store/text-rows.ts";

/** The facts of an application by which a scope fits. */
export interface Scoped {
  readonly area: string;
  readonly team: string;
  /** Null of one that has reported nothing. */
  readonly env: string | null;
  readonly registration?: Pick<RegisteredApp, "tier" | "labels"> | undefined;
}

/** Makes a function that says whether a scope fits an application in an environment. */
export function createFits({ areas, teams, tier, labels = {}, env }: CampaignScope): (app: Scoped) => boolean {
  const [ofAreas, ofTeams] = [new Set(areas), new Set(teams?.map(({ area, team }) => area + separator + team))];
  const isForAll = areas === undefined && teams === undefined;
  const tiers = tier && new Set(tier.map(String));
  const envs = env && new Set(env);
  const wanted = Object.entries(labels).map(([name, values]) => [name, new Set(values)] as const);
  if (isForAll && !tiers && !envs && wanted.length === 0) return () => true;
  return ({ area, team, env, registration }) => {
    if (!isForAll && !ofAreas.has(area) && !ofTeams.has(area + separator + team)) return false;
    if (envs && (env === null || !envs.has(env))) return false;
    if (tiers && !tiers.has(registration?.tier ?? "")) return false;
    const own = registration?.labels ?? {};
    return wanted.every(([name, values]) => Object.hasOwn(own, name) && values.has(own[name] ?? ""));
  };
}
