import type { ServerRoute } from "@hapi/hapi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forPeople, grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { decideOnce, idempotencyKey, respond } from "../http/idempotency.ts";
import { flag, querySchema, readQuery } from "../lists/query.ts";
import { type CampaignFields, newCampaign } from "../model/campaign.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { actorOf, isAll } from "../model/grant.ts";
import { bodyOperation, jsonSchema, object, queryParameters } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import { findFull, insertCampaign, maxCampaigns, readToday } from "../store/campaigns.ts";
import type { Database } from "../store/database.ts";
import { storeDecision } from "../store/decision.ts";
import { auditOf } from "./audit-of.ts";
import { requireScopeWithin } from "./bounds.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { type CampaignRules, checked, requireDays } from "./check.ts";
import { unknownNames, withCurrentNames } from "./names.ts";
import { campaignSchema, progressFields } from "./schema.ts";
import { showCampaign } from "./shown.ts";

/** The dependencies of the routes of campaigns. */
export interface CampaignDependencies {
  readonly database: Database;
  readonly rules: CampaignRules;
  readonly campaigns: CampaignReader;
}

const query = querySchema({
  dry_run: flag("Say how many applications it would be for, and store nothing"),
});

const previewSchema = object({ progress: object(progressFields) });

const operation = bodyOperation({
  operationId: "makeCampaign",
  summary: "Make a campaign: a goal for many applications by a date. Needs the scope `campaign:write`",
  parameters: [...queryParameters(query), idempotencyKey],
  request: "CampaignRequest",
  answers: {
    200: ["With `dry_run`: what its progress would be now", "CampaignPreview"],
    201: ["Stored; it runs from its day `starts` on", "Campaign"],
  },
  errors: ["unknown-scorecard", "unknown-metric", "too-many-campaigns", "idempotency-key-reused"],
  schemas: { CampaignRequest: jsonSchema(newCampaign), Campaign: campaignSchema, CampaignPreview: previewSchema },
});

/** POST /campaigns */
export function makeCampaignRoute({ database, rules, campaigns }: CampaignDependencies): ServerRoute {
  return bodyRoute(
    "POST /campaigns",
    { auth: forPeople("campaign:write"), openapi: operation },
    async (given, request, h) => {
      const campaign = checked(newCampaign, given, rules);
      const grant = grantOf(request);
      const prepare = async (trx: Knex.Transaction): Promise<CampaignFields> => {
        const scope = await withCurrentNames(trx, campaign.scope);
        requireScopeWithin(grant, scope);
        const faults = await unknownNames(trx, scope, grant);
        if (faults.length > 0) throw invalidPayload(faults);
        const today = await readToday(trx);
        const whole = { starts: today, ...campaign, scope };
        requireDays(whole, today);
        return whole;
      };
      if (readQuery<{ readonly dry_run: boolean }>(query, request.query).dry_run) {
        const whole = await storeDecision(database, deadlineOf(request.raw.req).signal, prepare);
        return { progress: await campaigns.preview(whole, await campaigns.rollUps(grant, {})) };
      }
      const make = async (trx: Knex.Transaction) => {
        const whole = await prepare(trx);
        const full = await findFull(trx, grant.caller);
        if (full === "all" || (full === "caller" && !grant.parts.some(({ bounds }) => isAll(bounds))))
          throw tooMany(full);
        const stored = await insertCampaign(trx, whole, grant);
        await recordAudit(trx, auditOf("campaign.create", actorOf(grant), stored));
        return stored;
      };
      const made = await decideOnce(database, request, given, make);
      const progress = await campaigns.progress(made.answer, await campaigns.rollUps(grant, {}));
      return respond(h, { ...made, answer: showCampaign(made.answer, progress, grant) }).code(201);
    },
  );
}

function tooMany(whose: keyof typeof maxCampaigns): ServiceError {
  const have = { all: "there are", caller: "this caller, which has bounds, made" }[whose];
  const message = `${have} ${maxCampaigns[whose]} campaigns that are not archived, the most there may be; archive those that are over`;
  return new ServiceError("too-many-campaigns", message);
}
