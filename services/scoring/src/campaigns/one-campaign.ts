import type { ServerRoute } from "@hapi/hapi";
import { forReaders, grantOf } from "../http/caller.ts";
import { checkedId, idParameter, noSuch } from "../http/path-id.ts";
import { querySchema, readQuery } from "../lists/query.ts";
import type { ServiceError } from "../model/errors.ts";
import type { Bounded } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { jsonResponse, type Operation } from "../openapi/operation.ts";
import type { RollUps } from "../rollups/roll-ups.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import { isScopeWithin } from "./bounds.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { campaignSchema } from "./schema.ts";
import { showCampaign } from "./shown.ts";

const noParameters = querySchema({});

const operation: Operation = {
  operationId: "readCampaign",
  tags: ["read"],
  summary: "A campaign with its progress",
  parameters: [idParameter("campaign")],
  responses: { 200: jsonResponse("The campaign", "Campaign") },
  errors: ["invalid-payload", "not-found", "internal", "store-unavailable", "overloaded"],
  schemas: { Campaign: campaignSchema },
};

/** The error for an id of no campaign, or of one with which the caller has nothing to do. */
export const noCampaign = (id: string): ServiceError =>
  noSuch("campaign", id, ", or nothing of it is within your bounds");

/**
 * Finds a campaign that a caller may read: one with a member within the bounds, or that reaches nothing but them.
 *
 * @throws ServiceError `not-found`; `forbidden` for a filter outside the bounds; `store-unavailable`
 */
export async function findReadable(
  campaigns: CampaignReader,
  id: unknown,
  grant: Bounded,
  filter: TargetFilter = {},
): Promise<{ readonly campaign: StoredCampaign; readonly rollUps: RollUps }> {
  const campaign = await campaigns.find(checkedId(id, noCampaign));
  if (!campaign) throw noCampaign(String(id));
  const all = await campaigns.rollUps(grant, {});
  const { members } = await campaigns.progress(campaign, all);
  if (members === 0 && !isScopeWithin(grant, campaign.scope)) throw noCampaign(String(id));
  return { campaign, rollUps: Object.keys(filter).length === 0 ? all : await campaigns.rollUps(grant, filter) };
}

/** GET /campaigns/{id} */
export function oneCampaignRoute(campaigns: CampaignReader): ServerRoute {
  return {
    method: "GET",
    path: "/campaigns/{id}",
    options: {
      auth: forReaders,
      plugins: { openapi: operation },
      timeout: { socket: false }, // nothing moves on the connection until the answer is computed
    },
    async handler(request, h) {
      readQuery(noParameters, request.query);
      const grant = grantOf(request);
      const { campaign, rollUps } = await findReadable(campaigns, request.params.id, grant);
      const progress = await campaigns.progress(campaign, rollUps);
      return h.response(showCampaign(campaign, progress, grant)).header("cache-control", "no-store");
    },
  };
}
