import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import type { Knex } from "knex";
import { callerOf, forAdmins, grantOf } from "../auth/scheme.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { idempotencyKey, readKey, respond } from "../http/idempotency.ts";
import { type AppName, appName, shownName } from "../model/app-name.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults, strict, text } from "../model/fields.ts";
import { type Grant, requireWithin } from "../model/grant.ts";
import {
  bodyErrors,
  type Json,
  jsonBody,
  jsonResponse,
  jsonSchema,
  type Operation,
  object,
} from "../openapi/operation.ts";
import { type AuditAction, recordAudit } from "../store/audit.ts";
import { makeOnce } from "../store/idempotency-keys.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { type Amount, amountOf, restoreApp, retireApp, retiredAmountOf } from "../store/moving/retire.ts";
import { appRetired } from "../store/names.ts";
import { appFields, type DeedDependencies, inDeed, nameProperties } from "./deed.ts";
import { nothingOf } from "./move.ts";

interface DeedBody extends AppName {
  readonly dry_run: boolean;
  readonly reason?: string;
}

const dry_run = Joi.boolean().default(false).description("Only tells what would be done");
const restoreBody = Joi.object<DeedBody>({ ...appFields, dry_run }).prefs(strict);
const reason = text(1, 2_000).required().description("Why, for whoever finds it gone");
const retireBody = restoreBody.keys({ reason });

const count: Json = { type: "integer", minimum: 0 };

function operationOf(summary: string, operationId: string, request: Json): Operation {
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  return {
    operationId,
    tags: ["decide"],
    summary,
    parameters: [idempotencyKey],
    requestBody: jsonBody(`${title}Request`),
    responses: { 200: jsonResponse("Done, or what would be done", "DeedResponse") },
    errors: bodyErrors(["not-found", "app-retired", "idempotency-key-reused"]),
    schemas: {
      [`${title}Request`]: request,
      DeedResponse: object({ dry_run: { type: "boolean" }, ...nameProperties, scores: count, problems: count }),
    },
  };
}

/** What a route does to an application. */
interface Deed {
  readonly path: string;
  readonly action: AuditAction;
  readonly operation: Operation;
  readonly body: Joi.ObjectSchema<DeedBody>;
  /** How much there is to do. @throws ServiceError if it cannot be done */
  measure(trx: Knex, name: AppName, grant: Grant): Promise<Amount>;
  do(trx: Knex, body: DeedBody): Promise<void>;
}

const retire: Deed = {
  path: "/apps/retire",
  action: "app.retire",
  operation: operationOf(
    "Take an application out of everything that is read; what is stored of it is kept",
    "retireApp",
    jsonSchema(retireBody),
  ),
  body: retireBody,
  async measure(trx, name, grant) {
    const amount = await amountOf(trx, name);
    if (amount) return amount;
    if (await retiredAmountOf(trx, name)) throw appRetired([{ name, path: "app" }]);
    throw await nothingOf(trx, name, grant);
  },
  do: (trx, body) => retireApp(trx, body, body.reason ?? ""),
};

const restore: Deed = {
  path: "/apps/restore",
  action: "app.restore",
  operation: operationOf("Bring a retired application back as it was", "restoreApp", jsonSchema(restoreBody)),
  body: restoreBody,
  async measure(trx, name) {
    const amount = await retiredAmountOf(trx, name);
    if (amount) return amount;
    throw new ServiceError("not-found", `${shownName(name)} is not retired`);
  },
  do: (trx, body) => restoreApp(trx, body),
};

/** POST /apps/retire and POST /apps/restore */
export function retireRoutes(deps: DeedDependencies): ServerRoute[] {
  return [retire, restore].map((deed) => deedRoute(deed, deps));
}

function deedRoute(deed: Deed, { database }: DeedDependencies): ServerRoute {
  return {
    method: "POST",
    path: deed.path,
    options: {
      auth: forAdmins,
      payload: jsonPayload,
      timeout: { socket: false },
      plugins: { openapi: deed.operation },
    },
    handler: handleObject(async (sent, request, h) => {
      const { value, error } = deed.body.validate(sent);
      if (error) throw invalidPayload(faults(error));
      const target = appName(value);
      const grant = grantOf(request);
      requireWithin(grant, target);
      const key = readKey(request, callerOf(request), sent);
      const act = async (trx: Knex.Transaction) => {
        if (!value.dry_run) await lockNames(trx, [target]);
        const amount = await deed.measure(trx, target, grant);
        const answer = { dry_run: value.dry_run, ...target, ...amount };
        if (value.dry_run) return answer;
        await deed.do(trx, value);
        const details = { ...amount, ...(value.reason !== undefined && { reason: value.reason }) };
        await recordAudit(trx, { actor: grant.name, action: deed.action, target, details });
        return answer;
      };
      const done = await inDeed(
        database.background,
        request,
        (trx) => makeOnce(trx, value.dry_run ? undefined : key, () => act(trx)),
        true,
      );
      return respond(h, done);
    }),
  };
}
