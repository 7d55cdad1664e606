import type { Request, ServerRoute } from "@hapi/hapi";
import { grantOf, wholeGrantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { slotOf } from "../http/limits.ts";
import { waiverSchema } from "../lists/waiver-schema.ts";
import { ServiceError } from "../model/errors.ts";
import { assertSeparationOfDuties, requireWithin, scopesAllowing } from "../model/grant.ts";
import { jsonResponse, type Operation } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { storeDecision } from "../store/decision.ts";
import { lockWaiver, revokeWaiver, type StoredWaiver } from "../store/waivers.ts";
import { auditOf } from "./audit-of.ts";

const operation: Operation = {
  operationId: "revokeWaiver",
  tags: ["decide"],
  summary: "Revoke a waiver; one that has ended stays as it is. Needs the scope `waiver:write`",
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      description: "Of the waiver",
      schema: { type: "string", format: "uuid" },
    },
  ],
  responses: { 200: jsonResponse("Not in force any more", "Waiver") },
  errors: ["not-found", "internal", "store-unavailable", "overloaded"],
  schemas: { Waiver: waiverSchema },
};

const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** DELETE /waivers/{id}: ends a waiver now. It stays in the list of all waivers. */
export function revokeWaiverRoute(database: Database): ServerRoute {
  async function revoke(request: Request): Promise<StoredWaiver> {
    const grant = grantOf(request);
    assertSeparationOfDuties(wholeGrantOf(request));
    const id = String(request.params.id);
    if (!idForm.test(id)) throw notFound(id);
    return storeDecision(database, deadlineOf(request.raw.req).signal, async (trx) => {
      const waiver = await lockWaiver(trx, id);
      if (!waiver) throw notFound(id);
      requireWithin(grant, waiver);
      const revoked = await revokeWaiver(trx, id, grant.name);
      if (!revoked) return waiver;
      await recordAudit(trx, auditOf("waiver.revoke", grant.name, revoked));
      return revoked;
    });
  }

  return {
    method: "DELETE",
    path: "/waivers/{id}",
    options: {
      auth: { access: { scope: scopesAllowing("waiver:write") } },
      payload: { parse: false, output: "stream" },
      plugins: { openapi: operation },
    },
    async handler(request) {
      const slot = slotOf(request.raw.req);
      await slot.begin();
      try {
        return await revoke(request);
      } finally {
        slot.end();
      }
    },
  };
}

function notFound(id: string): ServiceError {
  return new ServiceError(
    "not-found",
    `there is no waiver with the id ${JSON.stringify(id.slice(0, 100).toWellFormed())}`,
  );
}
