import type { ServerRoute } from "@hapi/hapi";
import { bodilessRoute } from "../http/body.ts";
import { forPeople, grantOf, wholeGrantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { checkedId, idParameter } from "../http/path-id.ts";
import { waiverSchema } from "../lists/waiver-schema.ts";
import { actorOf, assertSeparationOfDuties } from "../model/grant.ts";
import { jsonResponse, type Operation } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { storeDecision } from "../store/decision.ts";
import { lockWaiver, revokeWaiver } from "../store/waiver-changes.ts";
import type { StoredWaiver } from "../store/waivers.ts";
import { auditOf } from "./audit-of.ts";
import { alreadyDecided, noWaiver, requireWaiverWithin } from "./refusals.ts";

const operation: Operation = {
  operationId: "revokeWaiver",
  tags: ["decide"],
  summary:
    "Revoke an approved waiver; one that is over stays as it is, and a request is rejected or withdrawn instead. Needs the scope `waiver:write`",
  parameters: [idParameter("waiver")],
  responses: { 200: jsonResponse("Not in force any more", "Waiver") },
  errors: ["not-found", "waiver-decided", "internal", "store-unavailable", "overloaded"],
  schemas: { Waiver: waiverSchema },
};

/** DELETE /waivers/{id}: ends a waiver now. It stays in the list of all waivers. */
export function revokeWaiverRoute(database: Database): ServerRoute {
  return bodilessRoute("/waivers/{id}", { auth: forPeople("waiver:write"), openapi: operation }, async (request) => {
    const grant = grantOf(request);
    assertSeparationOfDuties(wholeGrantOf(request));
    const id = checkedId(request.params.id, noWaiver);
    return storeDecision(database, deadlineOf(request.raw.req).signal, async (trx): Promise<StoredWaiver> => {
      const locked = await lockWaiver(trx, id);
      if (!locked) throw noWaiver(id);
      requireWaiverWithin(grant, locked.waiver);
      if (locked.waiver.state === "requested") throw alreadyDecided(locked.waiver);
      const revoked = await revokeWaiver(trx, id, grant.name);
      if (!revoked) return locked.waiver;
      await recordAudit(trx, auditOf("waiver.revoke", actorOf(grant), revoked));
      return revoked;
    });
  });
}
