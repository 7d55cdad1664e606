import type { Bounded } from "../model/grant.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import { visibleScope } from "./bounds.ts";
import type { Progress } from "./members.ts";

/** A campaign as the API shows it. */
export type ShownCampaign = Omit<StoredCampaign, "recorded" | "version"> & { readonly progress: Progress };

/** A campaign with its progress, as this caller may see it. */
export function showCampaign(
  { recorded: _, version: __, ...campaign }: StoredCampaign,
  progress: Progress,
  grant: Bounded,
): ShownCampaign {
  return { ...campaign, scope: visibleScope(grant, campaign.scope), progress };
}
