import type { ServerRoute } from "@hapi/hapi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forPeople, grantOf, wholeGrantOf } from "../http/caller.ts";
import { decideOnce, idempotencyKey, respond } from "../http/idempotency.ts";
import { idParameter } from "../http/path-id.ts";
import { type CampaignChange, campaignChange } from "../model/campaign.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { actorOf, partsWith, scopesAllowing } from "../model/grant.ts";
import { bodyOperation, jsonSchema } from "../openapi/operation.ts";
import { type AuditAction, recordAudit } from "../store/audit.ts";
import { readCampaign, readToday, type StoredCampaign, updateCampaign } from "../store/campaigns.ts";
import { auditOf } from "./audit-of.ts";
import { isScopeWithin, requireScopeWithin } from "./bounds.ts";
import { checked, requireDays } from "./check.ts";
import type { CampaignDependencies } from "./make.ts";
import { unknownNames, withCurrentNames } from "./names.ts";
import { findReadable, noCampaign } from "./one-campaign.ts";
import { campaignSchema } from "./schema.ts";
import { showCampaign } from "./shown.ts";

const operation = bodyOperation({
  operationId: "changeCampaign",
  summary: "Change a campaign, start it, end it or archive it. Needs the scope `campaign:write`",
  parameters: [idParameter("campaign"), idempotencyKey],
  request: "CampaignChange",
  answers: { 200: ["Changed", "Campaign"] },
  errors: ["unknown-scorecard", "unknown-metric", "not-found", "idempotency-key-reused"],
  schemas: { CampaignChange: jsonSchema(campaignChange), Campaign: campaignSchema },
});

const actions: Readonly<Record<NonNullable<CampaignChange["state"]>, AuditAction & `campaign.${string}`>> = {
  ...{ running: "campaign.start", ended: "campaign.end", archived: "campaign.archive" },
};

/** PATCH /campaigns/{id} */
export function changeCampaignRoute({ database, rules, campaigns }: CampaignDependencies): ServerRoute {
  return bodyRoute(
    "PATCH /campaigns/{id}",
    { auth: forPeople("campaign:write"), openapi: operation },
    async (given, request, h) => {
      const { state, ...fields } = checked(campaignChange, given, rules);
      const grant = grantOf(request);
      const reading = partsWith(wholeGrantOf(request), [...scopesAllowing("read"), "campaign:write"]);
      const { id } = (await findReadable(campaigns, request.params.id, reading)).campaign;
      const change = async (trx: Knex.Transaction): Promise<StoredCampaign> => {
        const scope = fields.scope && (await withCurrentNames(trx, fields.scope));
        const stored = await readCampaign(trx, id, "FOR UPDATE");
        if (!stored) throw noCampaign(id);
        if (!isScopeWithin(grant, stored.scope))
          throw new ServiceError("forbidden", "the campaign is not for your bounds alone, so you cannot change it");
        requireChangeable(stored, state, fields);
        if (scope) {
          requireScopeWithin(grant, scope);
          const faults = await unknownNames(trx, scope, grant);
          if (faults.length > 0) throw invalidPayload(faults);
        }
        const today = await readToday(trx);
        const isStarted = state === "running" && stored.state === "draft";
        const changed = { ...fields, ...(scope && { scope }), ...(isStarted && { starts: today }) };
        const { starts, due } = { ...stored, ...changed };
        if (changed.starts !== undefined || changed.due !== undefined) requireDays({ starts, due }, today);
        if (Object.keys(changed).length === 0 && (state === undefined || state === stored.state)) return stored;
        const done = await updateCampaign(trx, id, changed, {
          endedBy: state === "ended" && stored.state === "running" ? grant.name : undefined,
          archives: state === "archived",
        });
        const action = state === undefined || state === stored.state ? "campaign.change" : actions[state];
        await recordAudit(trx, auditOf(action, actorOf(grant), done));
        return done;
      };
      const made = await decideOnce(database, request, given, change);
      const progress = await campaigns.progress(made.answer, await campaigns.rollUps(grant, {}));
      return respond(h, { ...made, answer: showCampaign(made.answer, progress, grant) });
    },
  );
}

/** From which states each state is reached by hand. Its own means that nothing is done. */
const before: Readonly<Record<NonNullable<CampaignChange["state"]>, readonly StoredCampaign["state"][]>> = {
  running: ["draft", "running"],
  ended: ["running", "ended"],
  archived: ["draft", "ended", "archived"],
};

/** @throws ServiceError `invalid-payload` for what cannot change any more, or not that way */
function requireChangeable(
  { state: now }: StoredCampaign,
  state: CampaignChange["state"],
  { goal, starts, ...fields }: Omit<CampaignChange, "state">,
): void {
  if (state !== undefined && !before[state].includes(now)) {
    const how = state === "archived" ? "; end it first" : now === "draft" ? "; archive it instead" : "";
    throw invalidPayload([{ path: "state", message: `cannot be ${state}, because the campaign is ${now}${how}` }]);
  }
  const isOver = now === "ended" || now === "archived";
  const fixed = Object.entries({ goal, starts, ...(isOver && fields) }).find(([, value]) => value !== undefined);
  if (!fixed || now === "draft") return;
  const why = isOver
    ? `cannot change, because the campaign is ${now}`
    : "cannot change while the campaign runs, because its recorded days would not compare; end it and make another one";
  throw invalidPayload([{ path: fixed[0], message: why }]);
}
