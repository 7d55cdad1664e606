import type { Request, ServerRoute } from "@hapi/hapi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forPeople, grantOf, hasSession, wholeGrantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { decideOnce, idempotencyKey, respond } from "../http/idempotency.ts";
import { flag, querySchema, readQuery } from "../lists/query.ts";
import { waiverFields } from "../lists/waiver-schema.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import {
  actorOf,
  assertSeparationOfDuties,
  type Grant,
  isWithin,
  partsWith,
  requireWithin,
  scopesAllowing,
} from "../model/grant.ts";
import { type MadeState, madeStates, type NewWaiver, type WaiverBody } from "../model/waiver.ts";
import { bodyOperation, type Json, jsonSchema, object, queryParameters, withExamples } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import { storeDecision } from "../store/decision.ts";
import { movedAway } from "../store/names.ts";
import { findUnstorable, insertWaiver, lockWaiver } from "../store/waiver-changes.ts";
import { coverageOf } from "../store/waiver-coverage.ts";
import { auditOf } from "./audit-of.ts";
import { type Current, withCurrentName } from "./current-name.ts";
import type { WaiverDependencies } from "./decide.ts";
import { requireKnown } from "./known-name.ts";
import { newWaiver, readNewWaiver, requireInstalled } from "./new-waiver.ts";
import { unstorableWaiver } from "./refusals.ts";
import { waiverFact } from "./waiver-fact.ts";

const query = querySchema({
  dry_run: flag("Say how much it would cover now, and store nothing"),
});

const count = (of: string): Json => ({ type: "integer", minimum: 0, description: `How many ${of} it covers now` });

const { area, team, app } = waiverFields;
const movedTo: Json = {
  ...object({ area, team, app }),
  description: "The name that counts, if the request had a former one",
};

const operation = bodyOperation({
  operationId: "makeWaiver",
  summary:
    "Waive a scorecard, a metric or a kind of problem, or ask for it. Needs the scope `waiver:write`, or to ask `waiver:request`",
  parameters: [...queryParameters(query), idempotencyKey],
  request: "WaiverRequest",
  answers: {
    200: ["With `dry_run`: what it would cover", "WaiverPreview"],
    201: ["Stored; in force from now on if its state is `approved`", "MadeWaiver"],
  },
  errors: ["unknown-scorecard", "unknown-metric", "app-retired", "too-many-waivers", "idempotency-key-reused"],
  schemas: {
    WaiverRequest: withExamples(jsonSchema(newWaiver)),
    MadeWaiver: object(waiverFields, { moved_to: movedTo }),
    WaiverPreview: object(
      {
        state: { enum: madeStates, description: "What its state would be" },
        covers: object({
          applications: count("applications that reported or are registered"),
          scores: count("scores"),
          problems: count("open problems"),
        }),
      },
      { moved_to: movedTo },
    ),
  },
});

/** POST /waivers: stores a waiver, which is in force from this moment on or requested, and the action in the same transaction. */
export function makeWaiverRoute({ engine, database, facts }: WaiverDependencies): ServerRoute {
  return bodyRoute(
    "POST /waivers",
    { auth: forPeople("waiver:request"), openapi: operation },
    async (given, request, h) => {
      const { dry_run: isDry } = readQuery<{ readonly dry_run: boolean }>(query, request.query);
      const { state: wanted, ...waiver } = readNewWaiver(given);
      requireInstalled(engine, waiver);
      const { state, grant } = stateFor(request, waiver, wanted);
      requireWithin(grant, waiver);
      const prepare = async (trx: Knex.Transaction) => {
        const current = await withCurrentName(trx, waiver);
        // The bounds apply to the current name: an application that moved out of them cannot be waived by a former name.
        if (!isWithin(grant, current)) throw movedAway([{ name: waiver, path: deepestOf(waiver) }]);
        await requireKnown(trx, current, waiver, grant);
        await requireExtendable(trx, current);
        const why = await findUnstorable(trx, current, state, grant.caller);
        if (why) throw unstorableWaiver(why, current.area);
        return { current, moved: current.isMoved && { moved_to: nameIn(current) } };
      };
      if (isDry) {
        return storeDecision(database, deadlineOf(request.raw.req).signal, async (trx) => {
          const { current, moved } = await prepare(trx);
          return { state, covers: await coverageOf(trx, current), ...moved };
        });
      }
      const make = async (trx: Knex.Transaction) => {
        const { current, moved } = await prepare(trx);
        const stored = await insertWaiver(trx, current, state, grant);
        const action = state === "approved" ? "waiver.create" : "waiver.request";
        await recordAudit(trx, auditOf(action, actorOf(grant), stored));
        if (state === "requested") await facts.store(trx, [waiverFact("waiver.requested", stored, actorOf(grant))]);
        return { ...stored, ...moved };
      };
      return respond(h, await decideOnce(database, request, given, make)).code(201);
    },
  );
}

/**
 * The state in which a waiver is made, and the parts of the grant that allow it. Somebody who signed in always asks, so
 * that nobody decides alone.
 *
 * @throws ServiceError `forbidden` if the caller may not have the state that it wants
 */
function stateFor(
  request: Request,
  waiver: NewWaiver,
  wanted: MadeState | undefined,
): { readonly state: MadeState; readonly grant: Grant } {
  const isPerson = hasSession(request);
  const writing = partsWith(wholeGrantOf(request), scopesAllowing("waiver:write"));
  const maySkip = !isPerson && (wanted === "approved" ? writing.parts.length > 0 : isWithin(writing, waiver));
  if (wanted === "requested" || (wanted === undefined && !maySkip)) {
    return { state: "requested", grant: grantOf(request) };
  }
  if (!maySkip) {
    const message = isPerson
      ? "who has signed in asks for a waiver, and somebody else approves it: send the state requested"
      : "the state approved needs the scope waiver:write; send the state requested to ask for the waiver";
    throw new ServiceError("forbidden", message, {
      details: [{ path: "state", message: "must be requested, or absent" }],
    });
  }
  assertSeparationOfDuties(wholeGrantOf(request));
  return { state: "approved", grant: writing };
}

/** @throws ServiceError `invalid-payload` if the waiver that it extends is not in force, or of something else */
async function requireExtendable(trx: Knex.Transaction, waiver: Current<WaiverBody>): Promise<void> {
  if (waiver.extends === undefined) return;
  const before = (await lockWaiver(trx, waiver.extends))?.waiver;
  const isSame = (["area", "team", "app", "env", "scorecard", "metric", "problem_type"] as const).every(
    (field) => (waiver[field] ?? null) === before?.[field],
  );
  if (isSame && before?.state === "approved") return;
  throw invalidPayload([
    { path: "extends", message: "must be the id of an approved waiver of the same target and the same subject" },
  ]);
}

function nameIn({ area, team, app }: NewWaiver): object {
  return { area, team: team ?? null, app: app ?? null };
}

function deepestOf({ team, app }: NewWaiver): string {
  return app !== undefined ? "app" : team !== undefined ? "team" : "area";
}
