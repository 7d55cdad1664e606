import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { idParameter } from "../http/path-id.ts";
import { fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { targetFilter } from "../lists/query.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { object } from "../openapi/operation.ts";
import { idBy } from "../rollups/groups.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { countMembers, type Progress } from "./members.ts";
import { findReadable } from "./one-campaign.ts";
import { progressExample, progressFields } from "./schema.ts";

interface GroupsQuery extends TargetFilter {
  readonly id: string;
  readonly by: "team" | "area";
}

interface Group extends Progress {
  readonly area: string;
  /** Absent by area. */
  readonly team?: string;
}

/** The share of a group that meets the goal; 1 where nobody has to. */
function shareOf({ members, met, waived, exempt }: Progress): number {
  const counting = members - waived - exempt;
  return counting === 0 ? 1 : met / counting;
}

/** GET /campaigns/{id}/groups */
export function groupsRoute(campaigns: CampaignReader): ServerRoute {
  return listRoute<GroupsQuery, Group>({
    path: "/campaigns/{id}/groups",
    pathParameters: [idParameter("campaign")],
    operationId: "listCampaignGroups",
    summary: "The progress of a campaign by team or area, the lowest share that meets the goal first",
    parameters: {
      ...targetFilter,
      by: Joi.valid("team", "area").default("team").description("By team, or by area"),
    },
    item: {
      name: "CampaignGroup",
      schema: object({ area: itemFields.area, ...progressFields }, { team: itemFields.team }),
      example: { area: "shop", team: "checkout", ...progressExample },
    },
    columns: ({ by }) =>
      fields<Group, keyof Group>(
        "area",
        ...(by === "area" ? [] : (["team"] as const)),
        ...(Object.keys(progressFields) as (keyof Progress)[]),
      ),
    async read({ id, by, ...filter }, grant, paging) {
      const { campaign, rollUps } = await findReadable(campaigns, id, grant, filter);
      const names = by === "area" ? (["area"] as const) : (["area", "team"] as const);
      const idOf = idBy<"area" | "team">(names);
      const found = Map.groupBy(await campaigns.members(campaign, rollUps), ({ app }) => idOf(app));
      const groups = [...found.values()].map((members): Group => {
        const { area = "", team = "" } = members[0]?.app ?? {};
        return { area, ...(by === "team" && { team }), ...countMembers(members) };
      });
      const sorted = await sortedBy(groups, (group) => [shareOf(group), -group.left, group.area, group.team ?? ""]);
      return { asOf: rollUps.asOf, ...pageOf(sorted, paging) };
    },
  });
}
