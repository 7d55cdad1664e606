import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { idParameter } from "../http/path-id.ts";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { several, targetFilter } from "../lists/query.ts";
import { cacheByList, pageOf, type Sorted, sortedBy } from "../lists/sorted.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object, textOrNull } from "../openapi/operation.ts";
import type { RollUps } from "../rollups/roll-ups.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { type MemberState, memberStates } from "./judge.ts";
import type { Member } from "./members.ts";
import { findReadable } from "./one-campaign.ts";
import { createStepFinder, type MemberStep } from "./steps.ts";

interface MembersQuery extends TargetFilter {
  readonly id: string;
  readonly met?: boolean;
  readonly state?: readonly MemberState[];
}

const dayOrNull: Json = { ...textOrNull, format: "date" };
const value: Json = { type: ["number", "string", "null"] };

const schema = object({
  ...{ area: itemFields.area, team: itemFields.team, app: itemFields.app },
  env: { ...textOrNull, description: "Null for one that is registered and has reported nothing" },
  ...{ owner: textOrNull, tier: textOrNull, labels: { type: "object", additionalProperties: { type: "string" } } },
  value: {
    ...value,
    description:
      "What it has: a score, the name of a level, or the number of open problems; null without any, and for a kind of problem for which it was never scanned",
  },
  target: { type: ["number", "string"], description: "What the goal asks for; 0 open problems" },
  state: {
    enum: memberStates,
    description: "`left`: it does not meet the goal; `lost`: neither, and it met the goal once",
  },
  joined: { ...dayOrNull, description: "The day since which it belongs to the campaign; null if it did at the start" },
  met_on: { ...dayOrNull, description: "The first recorded day on which it met the goal; null if there is none" },
  step: {
    oneOf: [
      object({
        ...{ scorecard: itemFields.scorecard, metric: itemFields.metric },
        gain: {
          type: ["number", "null"],
          minimum: 0,
          maximum: 100,
          description:
            "By how many points the score of the application rises if the metric scores 100; null if it never reported",
        },
        title: { type: "string", description: "Of the metric" },
      }),
      { type: "null" },
    ],
    description: "What to fix first; null for one that meets the goal or need not, and where only problems are left",
  },
});

const example: Json = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", owner: "checkout", tier: "1", labels: {} },
  ...{ value: 0, target: 100, state: "left", joined: null, met_on: null },
  step: { scorecard: "security", metric: "secret_scan", gain: 12.5, title: "Secrets in the source" },
};

/** A member as the API shows it. */
function showMember(member: Member, campaign: StoredCampaign, step: MemberStep | null) {
  const { area, team, app, env, registration } = member.app;
  return {
    ...{ area, team, app, env, owner: registration?.owner ?? null, tier: registration?.tier ?? null },
    ...{ labels: registration?.labels ?? {}, value: member.value, target: targetOf(campaign) },
    ...{ state: member.state, joined: member.joined, met_on: member.metAt, step },
  };
}

type ShownMember = ReturnType<typeof showMember>;

const columns: Columns<ShownMember> = {
  ...fields("area", "team", "app", "env", "owner", "tier", "labels", "value", "target", "state", "joined", "met_on"),
  step: ({ step }) => step && `${step.scorecard}.${step.metric}`,
  gain: ({ step }) => step?.gain,
};

/** The order of the states: what is left first. */
const places: Readonly<Record<MemberState, number>> = { left: 0, lost: 0, met: 1, waived: 2, exempt: 2 };

function isWanted({ state }: Member, met: boolean | undefined, wanted: readonly MemberState[] | undefined): boolean {
  const isMet = met === undefined || (met ? state === "met" : places[state] === 0);
  return isMet && (wanted?.includes(state) ?? true);
}

function targetOf({ goal }: Pick<StoredCampaign, "goal">): number | string {
  return "min" in goal ? goal.min : "level" in goal ? goal.level : 0;
}

/** GET /campaigns/{id}/members */
export function membersRoute(campaigns: CampaignReader, rules: Parameters<typeof createStepFinder>[0]): ServerRoute {
  const arranged = cacheByList(
    async (_: RollUps["allApps"], campaign: StoredCampaign, rollUps: RollUps): Promise<Sorted<Member>> => {
      const members = await campaigns.members(campaign, rollUps);
      return sortedBy(members, ({ app: { area, team, app, env }, state, rank }) => [
        ...[places[state], rank, area, team, app, env ?? ""],
      ]);
    },
  );
  const stepOf = createStepFinder(rules);
  return listRoute<MembersQuery, ShownMember>({
    path: "/campaigns/{id}/members",
    pathParameters: [idParameter("campaign")],
    operationId: "listCampaignMembers",
    summary: "The members of a campaign: those that are left first, the worst of them at the front",
    parameters: {
      met: Joi.boolean().description("`false`: only those that are left; `true`: only those that meet the goal"),
      state: several(Joi.valid(...memberStates)).description("Only in these states"),
      ...targetFilter,
    },
    item: { name: "CampaignMember", schema, example },
    columns: () => columns,
    async read({ id, met, state, ...filter }, grant, paging) {
      const { campaign, rollUps } = await findReadable(campaigns, id, grant, filter);
      const sorted = await arranged(rollUps.allApps, campaign, rollUps);
      const { items, ...page } = pageOf(
        sorted.filter(({ item }) => isWanted(item, met, state)),
        paging,
      );
      const shown = items.map((member) => showMember(member, campaign, stepOf(member, campaign.goal, rollUps.asOf)));
      return { ...page, asOf: rollUps.asOf, items: shown };
    },
  });
}
