import type { ServerRoute } from "@hapi/hapi";
import { bodilessRoute } from "../../http/body.ts";
import { forPeople, grantOf } from "../../http/caller.ts";
import { deadlineOf } from "../../http/deadline.ts";
import { checkedId, idParameter, noSuch } from "../../http/path-id.ts";
import { actorOf, isWithin } from "../../model/grant.ts";
import { jsonResponse, type Operation } from "../../openapi/operation.ts";
import { recordAudit } from "../../store/audit.ts";
import { readBadge, revokeBadge } from "../../store/badges.ts";
import { storeDecision } from "../../store/decision.ts";
import { auditOf, type BadgeWriting } from "./make.ts";
import { badgeSchema, showBadge } from "./schema.ts";

const operation: Operation = {
  operationId: "revokeBadge",
  tags: ["decide"],
  summary: "Revoke a badge: its address leads nowhere, within five minutes. Needs the scope `badge:write`",
  parameters: [idParameter("badge")],
  responses: { 200: jsonResponse("Revoked", "Badge") },
  errors: ["not-found", "internal", "store-unavailable", "overloaded"],
  schemas: { Badge: badgeSchema },
};

/** The error for an id of no badge, or of one outside the bounds of the caller. */
const noBadge = (id: string) => noSuch("badge", id, " within your bounds");

/** DELETE /badges/{id} */
export function revokeBadgeRoute({ database, addresses }: BadgeWriting): ServerRoute {
  return bodilessRoute("/badges/{id}", { auth: forPeople("badge:write"), openapi: operation }, async (request) => {
    const grant = grantOf(request);
    const id = String(request.params.id);
    const revoked = await storeDecision(database, deadlineOf(request.raw.req).signal, async (trx) => {
      const badge = await readBadge(trx, checkedId(id, noBadge), "any");
      if (!badge || !isWithin(grant, badge)) throw noBadge(id);
      if (!(await revokeBadge(trx, id, actorOf(grant)))) return badge; // it was revoked before
      await recordAudit(trx, { actor: actorOf(grant), action: "badge.revoke", ...auditOf(badge) });
      return badge;
    });
    return showBadge(revoked, addresses);
  });
}
