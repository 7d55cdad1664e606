import type { Answer } from "./answer.ts";
import type { CallOptions, Connection } from "./caller.ts";
import {
  type Campaign,
  type CampaignDay,
  type CampaignGroup,
  type CampaignMember,
  type ListedCampaign,
  type Listing,
  listing,
  type Query,
} from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** A campaign: the goal, whom it is for, why, and its days. */
export type CampaignRequest = components["schemas"]["CampaignRequest"];

/** What changes of a campaign: fields, or its state. */
export type CampaignChange = components["schemas"]["CampaignChange"];

/** What the progress of a campaign would be. */
export type CampaignPreview = components["schemas"]["CampaignPreview"];

/** Calls for campaigns. */
export interface Campaigning {
  /** Makes one campaign, also if a retry is needed. */
  makeCampaign(campaign: CampaignRequest, options?: CallOptions): Promise<Campaign>;
  /** Says what the progress of a campaign would be now, and stores nothing. It is refused as `makeCampaign` would be. */
  previewCampaign(campaign: CampaignRequest, options?: CallOptions): Promise<CampaignPreview>;
  /** Changes a campaign, starts it, ends it or archives it. */
  changeCampaign(id: string, change: CampaignChange, options?: CallOptions): Promise<Campaign>;
  /** The campaigns that are not archived, the next to be due first. With `state`, others. */
  campaigns(query?: Query<"/campaigns">, options?: CallOptions): Listing<ListedCampaign>;
  campaign(id: string, options?: CallOptions): Promise<Campaign>;
  /** The members of a campaign: those that are left first, the worst of them at the front. */
  campaignMembers(id: string, query?: Query<"/campaigns/{id}/members">, options?: CallOptions): Listing<CampaignMember>;
  /** The recorded days of a campaign, the oldest first. */
  campaignDays(id: string, query?: Query<"/campaigns/{id}/days">, options?: CallOptions): Listing<CampaignDay>;
  /** The progress of a campaign by team or area. */
  campaignGroups(id: string, query?: Query<"/campaigns/{id}/groups">, options?: CallOptions): Listing<CampaignGroup>;
}

/** These calls over a connection. */
export function campaigningOf(caller: Connection): Campaigning {
  const { api, call } = caller;
  const of = (id: string) => ({ params: { path: { id } } });
  const made = <Data>(answer: Promise<Answer<Campaign | CampaignPreview>>) => answer as Promise<Answer<Data>>;
  return {
    makeCampaign: (body, options) =>
      call<Campaign>("makes", "id", (init) => made(api.POST("/campaigns", { ...init, body })), options),
    previewCampaign: (body, options) =>
      call<CampaignPreview>(
        "reads",
        "progress",
        (init) => made(api.POST("/campaigns", { ...init, params: { query: { dry_run: true } }, body })),
        options,
      ),
    changeCampaign: (id, body, options) =>
      call<Campaign>("makes", "id", (init) => api.PATCH("/campaigns/{id}", { ...init, ...of(id), body }), options),
    campaign: (id, options) =>
      call<Campaign>("reads", "id", (init) => api.GET("/campaigns/{id}", { ...init, ...of(id) }), options),
    campaigns: (query, options) => listing(caller, "/campaigns", query, options),
    campaignMembers: (id, query, options) =>
      listing(caller, "/campaigns/{id}/members", query, { ...options, of: { id } }),
    campaignDays: (id, query, options) => listing(caller, "/campaigns/{id}/days", query, { ...options, of: { id } }),
    campaignGroups: (id, query, options) =>
      listing(caller, "/campaigns/{id}/groups", query, { ...options, of: { id } }),
  };
}
