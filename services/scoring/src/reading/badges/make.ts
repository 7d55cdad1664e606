import type { ServerRoute } from "@hapi/hapi";
import type { Scorecard } from "@maturity/core";
import type { Knex } from "knex";
import { bodyRoute } from "../../http/body.ts";
import { forPeople, grantOf } from "../../http/caller.ts";
import { decideOnce, idempotencyKey, respond } from "../../http/idempotency.ts";
import { type NewBadge, newBadge } from "../../model/badge.ts";
import { invalidPayload } from "../../model/errors.ts";
import { validated } from "../../model/fields.ts";
import { actorOf, type Grant, isWithin, requireWithin } from "../../model/grant.ts";
import { insteadOf } from "../../model/near-name.ts";
import { uninstalledFault } from "../../model/waiver.ts";
import { bodyOperation, jsonSchema, withExamples } from "../../openapi/operation.ts";
import { type AuditEntry, recordAudit } from "../../store/audit.ts";
import { insertBadge, type StoredBadge } from "../../store/badges.ts";
import type { Database } from "../../store/database.ts";
import { appRetired, findCurrentNames, holdNames, movedAway } from "../../store/names.ts";
import { findUnknownName } from "../../store/near-names.ts";
import { query } from "../../store/sql.ts";
import type { BadgeAddresses } from "./address.ts";
import { badgeSchema, showBadge } from "./schema.ts";

const operation = bodyOperation({
  operationId: "makeBadge",
  summary:
    "Make a badge of an application, or find the one that shows the same: an image that everybody can read who has its address. Needs the scope `badge:write`",
  parameters: [idempotencyKey],
  request: "BadgeRequest",
  answers: { 201: ["Stored, now or before", "Badge"] },
  errors: ["app-retired", "idempotency-key-reused"],
  schemas: { BadgeRequest: withExamples(jsonSchema(newBadge)), Badge: badgeSchema },
});

/** The dependencies of the routes that make and revoke badges. */
export interface BadgeWriting {
  readonly database: Database;
  readonly addresses: BadgeAddresses;
  readonly scorecards: readonly Scorecard[];
}

/** POST /badges */
export function makeBadgeRoute({ database, addresses, scorecards }: BadgeWriting): ServerRoute {
  return bodyRoute(
    "POST /badges",
    { auth: forPeople("badge:write"), openapi: operation },
    async (given, request, h) => {
      const wanted = validated(newBadge, given);
      const uninstalled = uninstalledFault(scorecards, wanted);
      if (uninstalled) throw invalidPayload([uninstalled]);
      const grant = grantOf(request);
      requireWithin(grant, wanted);
      const made = await decideOnce(database, request, given, (trx) => make(trx, wanted, grant));
      return respond(h, { ...made, answer: await showBadge(made.answer, addresses) }).code(201);
    },
  );
}

async function make(trx: Knex.Transaction, wanted: NewBadge, grant: Grant): Promise<StoredBadge> {
  await holdNames(trx);
  const [current] = await findCurrentNames(trx, [wanted]);
  if (!current) throw new Error("no name was looked up");
  if (current.retired !== null) throw appRetired([{ name: wanted, path: "app" }]);
  // The bounds apply to the current name, so that nobody publishes what moved away.
  if (!isWithin(grant, current.name)) throw movedAway([{ name: wanted, path: "app" }]);
  const unknown = await findUnknownName(trx, current.name, "shown", grant);
  if (unknown) throw invalidPayload([{ path: unknown.field, message: `is unknown: ${unknown.message}` }]);
  await requireEnv(trx, Number(current.application_id), wanted.env);
  const { badge, isNew } = await insertBadge(trx, Number(current.application_id), wanted, actorOf(grant));
  if (isNew) await recordAudit(trx, { actor: actorOf(grant), action: "badge.create", ...auditOf(badge) });
  return badge;
}

async function requireEnv(trx: Knex, application: number, env: string): Promise<void> {
  const rows = await query(trx)`
    SELECT env FROM targets WHERE application_id = ${application}::int AND retired_at IS NULL
  `;
  const known = rows.map((row: { env: string }) => row.env);
  if (known.includes(env)) return;
  const message = `is unknown: nothing was reported of the environment ${JSON.stringify(env)}${insteadOf(env, known)}`;
  throw invalidPayload([{ path: "env", message }]);
}

/** The target and the details of an audit entry about a badge. Its address is a secret. */
export function auditOf(badge: StoredBadge): Pick<AuditEntry, "target" | "details"> {
  const { id, area, team, app, env, shows, scorecard, metric } = badge;
  return { target: { area, team, app, env }, details: { id, shows, ...(metric !== null && { scorecard, metric }) } };
}
