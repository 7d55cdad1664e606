import type { ServerRoute } from "@hapi/hapi";
import { campaignsListRoute } from "./campaigns-list.ts";
import { changeCampaignRoute } from "./change.ts";
import { daysRoute } from "./days-list.ts";
import { groupsRoute } from "./groups-list.ts";
import { type CampaignDependencies, makeCampaignRoute } from "./make.ts";
import { membersRoute } from "./members-list.ts";
import { oneCampaignRoute } from "./one-campaign.ts";

/** The routes by which campaigns are made, changed and read. */
export function campaignRoutes(deps: CampaignDependencies): ServerRoute[] {
  const { database, rules, campaigns } = deps;
  return [
    campaignsListRoute(campaigns, database),
    makeCampaignRoute(deps),
    oneCampaignRoute(campaigns),
    changeCampaignRoute(deps),
    membersRoute(campaigns, rules),
    daysRoute(campaigns, database),
    groupsRoute(campaigns),
  ];
}
