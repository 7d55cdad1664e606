import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import Joi from "joi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forPeople, grantOf, wholeGrantOf } from "../http/caller.ts";
import { decideOnce, idempotencyKey, respond } from "../http/idempotency.ts";
import { checkedId, idParameter } from "../http/path-id.ts";
import { waiverSchema } from "../lists/waiver-schema.ts";
import type { ServiceErrorCode } from "../model/errors.ts";
import type { FactStore } from "../model/fact.ts";
import { name, strict, validated } from "../model/fields.ts";
import { actorOf, type Grant } from "../model/grant.ts";
import { bodyOperation, jsonSchema, type Operation } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { holdNames } from "../store/names.ts";
import { type Decision, decideWaiver, findUnstorable, type LockedWaiver, lockWaiver } from "../store/waiver-changes.ts";
import type { StoredWaiver } from "../store/waivers.ts";
import { auditOf } from "./audit-of.ts";
import { nameOf, requireInUse } from "./current-name.ts";
import { requireAsker, requireDecider } from "./deciders.ts";
import { requireKnown } from "./known-name.ts";
import { requireInstalled } from "./new-waiver.ts";
import { alreadyDecided, noWaiver, requireWaiverWithin, unstorableWaiver } from "./refusals.ts";
import { waiverFact } from "./waiver-fact.ts";

/** The dependencies of the routes of waivers. */
export interface WaiverDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly facts: FactStore;
}

/** A way to decide a request. */
interface Way {
  readonly verb: "approve" | "reject" | "withdraw";
  readonly decision: Decision["decision"];
  readonly scope: "waiver:write" | "waiver:request";
  readonly summary: string;
  readonly done: string;
  readonly comment: Joi.StringSchema;
  readonly errors?: readonly ServiceErrorCode[];
  /** @throws ServiceError `forbidden` if the caller, with all its parts, may not decide it so */
  authorize(locked: LockedWaiver, grant: Grant): void;
  /** Checks a request that waits. @throws ServiceError if it cannot be decided so */
  check?(trx: Knex.Transaction, waiver: StoredWaiver, grant: Grant): Promise<void>;
}

const comment = name(1_000);

/** The routes by which a request for a waiver is approved, rejected or withdrawn. */
export function decisionRoutes({ engine, ...deps }: WaiverDependencies): ServerRoute[] {
  const ways: readonly Way[] = [
    {
      ...{ verb: "approve", decision: "approved", scope: "waiver:write" },
      summary:
        "Approve a request for a waiver. Needs the scope `waiver:write` within its bounds, and another caller than the one that asked",
      done: "In force from now on",
      comment: comment.description("What there is to say about it"),
      errors: ["unknown-scorecard", "unknown-metric", "app-retired", "too-many-waivers"],
      authorize: requireDecider,
      async check(trx, waiver, grant) {
        requireInstalled(engine, waiver);
        await requireInUse(trx, nameOf(waiver));
        await requireKnown(trx, waiver, waiver, grant);
        const why = await findUnstorable(trx, waiver, "approved", grant.caller);
        if (why) throw unstorableWaiver(why, waiver.area);
      },
    },
    {
      ...{ verb: "reject", decision: "rejected", scope: "waiver:write" },
      summary:
        "Reject a request for a waiver. Needs the scope `waiver:write` within its bounds, and another caller than the one that asked",
      done: "Rejected; it waives nothing",
      comment: comment.required().description("Why it is rejected, for the person that asked"),
      authorize: requireDecider,
    },
    {
      ...{ verb: "withdraw", decision: "withdrawn", scope: "waiver:request" },
      summary: "Withdraw a request for a waiver. Only for the caller that asked",
      done: "Withdrawn; it waives nothing",
      comment: comment.description("What there is to say about it"),
      authorize: requireAsker,
    },
  ];
  return ways.map((way) => decisionRoute(way, deps));
}

function decisionRoute(way: Way, { database, facts }: Omit<WaiverDependencies, "engine">): ServerRoute {
  const body = Joi.object<{ comment?: string }>({ comment: way.comment }).prefs(strict);
  return bodyRoute(
    `POST /waivers/{id}/${way.verb}`,
    { auth: forPeople(way.scope), openapi: operationOf(way, body) },
    async (given, request, h) => {
      const value = validated(body, given);
      const id = checkedId(request.params.id, noWaiver);
      const grant = grantOf(request);
      const decide = async (trx: Knex.Transaction): Promise<StoredWaiver> => {
        await holdNames(trx);
        const locked = await lockWaiver(trx, id);
        if (!locked) throw noWaiver(id);
        requireWaiverWithin(grant, locked.waiver);
        way.authorize(locked, wholeGrantOf(request));
        if (locked.waiver.state !== "requested") throw alreadyDecided(locked.waiver);
        await way.check?.(trx, locked.waiver, grant);
        const decided = await decideWaiver(trx, id, { decision: way.decision, ...value }, grant.name);
        if (decided.state !== way.decision) throw alreadyDecided(decided);
        await recordAudit(trx, auditOf(`waiver.${way.verb}`, actorOf(grant), decided));
        await facts.store(trx, [waiverFact("waiver.decided", decided, actorOf(grant))]);
        return decided;
      };
      return respond(h, await decideOnce(database, request, given, decide));
    },
  );
}

function operationOf({ verb, summary, done, errors = [] }: Way, body: Joi.ObjectSchema): Operation {
  const schema = `Waiver${verb.replace(/^./, (first) => first.toUpperCase())}`;
  return bodyOperation({
    ...{ operationId: `${verb}Waiver`, summary, parameters: [idParameter("waiver"), idempotencyKey], request: schema },
    answers: { 200: [done, "Waiver"] },
    errors: ["not-found", ...errors, "waiver-decided", "idempotency-key-reused"],
    schemas: { Waiver: waiverSchema, [schema]: jsonSchema(body) },
  });
}
