import type { ServerRoute } from "@hapi/hapi";
import type { Engine, Fault } from "@maturity/core";
import type { Knex } from "knex";
import { handleObject, jsonPayload } from "../http/body.ts";
import { grantOf, wholeGrantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { idempotencyKey, readKey, respond } from "../http/idempotency.ts";
import { timeParameter } from "../lists/time.ts";
import { waiverFields, waiverSchema } from "../lists/waiver-schema.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults } from "../model/fields.ts";
import { assertSeparationOfDuties, isWithin, requireWithin, scopesAllowing } from "../model/grant.ts";
import { maxAcceptedDays, maxWaivers } from "../model/limits.ts";
import { type NewWaiver, unregistered, waiverBody } from "../model/waiver.ts";
import {
  bodyErrors,
  type Json,
  jsonBody,
  jsonResponse,
  jsonSchema,
  type Operation,
  object,
  withExamples,
} from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { storeDecision } from "../store/decision.ts";
import { executeOnce } from "../store/idempotency-keys.ts";
import { appRetired, type CurrentName, findCurrentNames, holdNames, isSameName, movedAway } from "../store/names.ts";
import { insertWaiver, type Unstorable } from "../store/waivers.ts";
import { auditOf } from "./audit-of.ts";

const body = waiverBody(timeParameter);

const operation: Operation = {
  operationId: "makeWaiver",
  tags: ["decide"],
  summary: "Waive a scorecard, a metric or a kind of problem. Needs the scope `waiver:write`",
  parameters: [idempotencyKey],
  requestBody: jsonBody("WaiverRequest"),
  responses: { 201: jsonResponse("In force from now on", "MadeWaiver") },
  errors: bodyErrors([
    "unknown-scorecard",
    "unknown-metric",
    "app-retired",
    "too-many-waivers",
    "idempotency-key-reused",
  ]),
  schemas: {
    WaiverRequest: withExamples(jsonSchema(body)),
    MadeWaiver: withMovedTo(waiverSchema),
  },
};

/** Adds `moved_to` to the schema of a waiver. */
function withMovedTo(schema: Json): Json {
  const { area, team, app } = waiverFields;
  const moved_to = {
    ...object({ area, team, app }),
    description: "The name that counts, if the request had a former one",
  };
  return { ...schema, properties: { ...(schema.properties as Json), moved_to } };
}

/** POST /waivers: stores a waiver, which is in force from this moment on, and the action in the same transaction. */
export function makeWaiverRoute({ engine, database }: { engine: Engine; database: Database }): ServerRoute {
  return {
    method: "POST",
    path: "/waivers",
    options: {
      auth: { access: { scope: scopesAllowing("waiver:write") } },
      payload: jsonPayload,
      plugins: { openapi: operation },
    },
    handler: handleObject(async (given, request, h) => {
      const grant = grantOf(request);
      assertSeparationOfDuties(wholeGrantOf(request));
      const waiver = readWaiver(given);
      requireRegistered(engine, waiver);
      requireWithin(grant, waiver);
      const key = readKey(request, grant.caller, given);
      const make = async (trx: Knex.Transaction) => {
        const current = await withCurrentName(trx, waiver);
        // The bounds apply to the current name: an application that moved out of them cannot be waived by a former name.
        if (!isWithin(grant, current)) throw movedAway([{ name: waiver, path: deepestOf(waiver) }]);
        const stored = await insertWaiver(trx, current, grant.name);
        if (typeof stored === "string") throw refusals[stored](current);
        await recordAudit(trx, auditOf("waiver.create", grant.name, stored));
        const { area, team, app } = stored;
        return { ...stored, ...(current.isMoved && { moved_to: { area, team, app } }) };
      };
      const { signal } = deadlineOf(request.raw.req);
      const made = await storeDecision(database, signal, (trx) => executeOnce(trx, key, () => make(trx)));
      return respond(h, made).code(201);
    }),
  };
}

/**
 * The waiver with the current name of its application, team or area. The name is locked until the transaction ends.
 *
 * @throws ServiceError `app-retired`, because the waiver would have no effect
 */
async function withCurrentName(trx: Knex.Transaction, waiver: NewWaiver) {
  const given = { area: waiver.area, team: waiver.team ?? "", app: waiver.app ?? "" };
  await holdNames(trx);
  const [{ name, retired }] = (await findCurrentNames(trx, [given])) as [CurrentName];
  if (retired !== null) throw appRetired([{ name: given, path: "app" }]);
  const { area, team, app } = name;
  const isMoved = !isSameName(name, given);
  return { ...waiver, area, ...(team && { team }), ...(app && { app }), isMoved };
}

function deepestOf({ team, app }: NewWaiver): string {
  return app !== undefined ? "app" : team !== undefined ? "team" : "area";
}

const wrongEnd = (message: string) => () => invalidPayload([{ path: "expires_at", message }]);

const tooMany = (count: number, scopeHas: string) =>
  new ServiceError(
    "too-many-waivers",
    `${scopeHas} ${count.toLocaleString("en")} waivers in force or made within the last day, the most there may be; waive a whole team or area at once`,
  );

const refusals: Readonly<Record<Unstorable, (waiver: NewWaiver) => ServiceError>> = {
  past: wrongEnd("must be ahead of now, by the database's clock"),
  far: wrongEnd(`must be at most ${maxAcceptedDays} days ahead; make another waiver then, after looking at it again`),
  "area-full": ({ area }) => tooMany(maxWaivers.area, `the area ${JSON.stringify(area)} has`),
  full: () => tooMany(maxWaivers.all, "there are"),
};

/** Checks the body of the request. @throws ServiceError `invalid-payload` with a fault for each wrong field or combination */
function readWaiver(given: object): NewWaiver {
  const { value, error } = body.validate(given);
  const found = error ? faults(error) : [];
  const paths = new Set(found.map(({ path }) => path));
  const all = [...found, ...combinationFaults(given as Partial<NewWaiver>).filter(({ path }) => !paths.has(path))];
  if (all.length > 0) throw invalidPayload(all);
  return value as NewWaiver;
}

/** The faults of fields that need or exclude each other. */
function combinationFaults(given: Partial<NewWaiver>): Fault[] {
  const { kind, team, app, env, scorecard, metric, problem_type, expires_at } = given;
  const rules: readonly (readonly [isWrong: boolean, path: string, message: string])[] = [
    [app !== undefined && team === undefined, "team", "is required with app"],
    [env !== undefined && app === undefined, "app", "is required with env"],
    [
      scorecard === undefined && problem_type === undefined,
      "scorecard",
      "is required, or problem_type: it says what is waived",
    ],
    [
      scorecard !== undefined && problem_type !== undefined,
      "problem_type",
      "must not stand beside scorecard; a waiver has one of the two",
    ],
    [metric !== undefined && scorecard === undefined, "metric", "needs scorecard, to which the metric belongs"],
    [
      kind === "accepted" && expires_at === undefined,
      "expires_at",
      `is required with the kind accepted: the end of the waiver, at most ${maxAcceptedDays} days ahead`,
    ],
  ];
  return rules.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** @throws ServiceError `unknown-scorecard` or `unknown-metric`, listing the registered names */
function requireRegistered({ scorecards }: Engine, waiver: NewWaiver): void {
  const fault = unregistered(scorecards, waiver);
  if (fault) throw new ServiceError(`unknown-${fault.path}`, fault.message, { details: [fault] });
}
