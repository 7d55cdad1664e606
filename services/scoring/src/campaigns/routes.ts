import type { ServerRoute } from "@hapi/hapi";
import type { Database } from "../store/database.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { campaignsListRoute } from "./campaigns-list.ts";
import { changeCampaignRoute } from "./change.ts";
import type { CampaignRules } from "./check.ts";
import { daysRoute } from "./days-list.ts";
import { groupsRoute } from "./groups-list.ts";
import { makeCampaignRoute } from "./make.ts";
import { membersRoute } from "./members-list.ts";
import { oneCampaignRoute } from "./one-campaign.ts";

interface CampaignDependencies {
  readonly database: Database;
  readonly rules: CampaignRules;
  readonly campaigns: CampaignReader;
}

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
