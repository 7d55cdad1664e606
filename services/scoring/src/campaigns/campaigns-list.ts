import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { listRoute } from "../lists/list.ts";
import { several, targetFilter } from "../lists/query.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import { type CampaignState, campaignStates } from "../model/campaign.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { object, share } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { isScopeWithin } from "./bounds.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { campaignExample, campaignFields } from "./schema.ts";
import { type ShownCampaign, showCampaign } from "./shown.ts";
import { readLines } from "./straight-line.ts";

const listedSchema = object({
  ...campaignFields,
  line: {
    ...{ ...share, type: ["number", "null"] },
    description:
      "The share that would meet the goal today by a straight line from the first recorded day to all of them on the last one; null unless it runs, before its first recorded day, and with a filter by app or environment",
  },
});

interface CampaignQuery extends TargetFilter {
  readonly state: readonly CampaignState[];
}

/** A campaign as its list shows it. */
interface ListedCampaign extends ShownCampaign {
  readonly line: number | null;
}

/** GET /campaigns */
export function campaignsListRoute(campaigns: CampaignReader, database: Database): ServerRoute {
  return listRoute<CampaignQuery, ListedCampaign>({
    path: "/campaigns",
    operationId: "listCampaigns",
    summary: "Campaigns with members that the caller may read, and their progress; what is due first at the front",
    parameters: {
      state: several(Joi.valid(...campaignStates))
        .default(["draft", "running", "ended"])
        .description("Only in these states; without it all but the archived"),
      area: targetFilter.area.description("Only with members of these areas, and their progress alone"),
      team: targetFilter.team.description("Only with members of these teams, and their progress alone"),
      app: targetFilter.app.description("Only with these apps as members, and their progress alone"),
      env: targetFilter.env.description("Only with members in these environments, and their progress alone"),
    },
    item: { name: "ListedCampaign", schema: listedSchema, example: { ...campaignExample, line: 0.48 } },
    async read({ state, ...filter }, grant, paging) {
      const rollUps = await campaigns.rollUps(grant, filter);
      const isFiltered = Object.keys(filter).length > 0;
      const listed = await campaigns.list(state);
      const isRunning = listed.some((campaign) => campaign.state === "running");
      const hasLine = isRunning && filter.app === undefined && filter.env === undefined;
      const lines = hasLine ? await readLines(database, grant, filter) : new Map<string, number>();
      const shown: ListedCampaign[] = [];
      for (const campaign of listed) {
        const progress = await campaigns.progress(campaign, rollUps, listed);
        const isVisible = progress.members > 0 || (!isFiltered && isScopeWithin(grant, campaign.scope));
        const line = campaign.state === "running" ? (lines.get(campaign.id) ?? null) : null;
        if (isVisible) shown.push({ ...showCampaign(campaign, progress, grant), line });
      }
      const sorted = await sortedBy(shown, ({ due, name, id }) => [due, name, id]);
      return { asOf: rollUps.asOf, ...pageOf(sorted, paging) };
    },
  });
}
