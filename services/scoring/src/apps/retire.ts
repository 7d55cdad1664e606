import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forAdmins, grantOf } from "../http/caller.ts";
import { idempotencyKey, respond } from "../http/idempotency.ts";
import { flag } from "../lists/query.ts";
import { type AppName, appName, shownTarget } from "../model/app-name.ts";
import { ServiceError } from "../model/errors.ts";
import { name, strict, text, validated } from "../model/fields.ts";
import { actorOf, requireWithin } from "../model/grant.ts";
import { bodyOperation, count, type Json, jsonSchema, type Operation, object } from "../openapi/operation.ts";
import { type AuditAction, recordAudit } from "../store/audit.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { amountOf, findRetirable, type Retirable, restore, retire } from "../store/moving/retire.ts";
import { appRetired } from "../store/names.ts";
import { type AppsDependencies, appFields, changeOnce, nameProperties } from "./admin-transaction.ts";
import { nothingOf } from "./move.ts";

interface ChangeBody extends AppName {
  readonly env?: string;
  readonly dry_run: boolean;
  readonly reason?: string;
}

const dry_run = flag("Only shows the effect");
const env = name(200).description("One environment of it; the whole application without it");
const restoreBody = Joi.object<ChangeBody>({ ...appFields, env, dry_run }).prefs(strict);
const reason = text(1, 2_000).required().description("Why, for whoever finds it gone");
const retireBody = restoreBody.keys({ reason });

function operationOf(summary: string, operationId: string, request: Json): Operation {
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  return bodyOperation({
    ...{ operationId, summary, parameters: [idempotencyKey], request: `${title}Request` },
    answers: { 200: ["Done, or what would be done", "RetireResponse"] },
    errors: ["not-found", "app-retired", "idempotency-key-reused"],
    schemas: {
      [`${title}Request`]: request,
      // An answer has the environment if it was sent.
      RetireResponse: object(
        { dry_run: { type: "boolean" }, ...nameProperties, scores: count, problems: count },
        { env: { type: "string" } },
      ),
    },
  });
}

type Target = AppName & Pick<ChangeBody, "env">;

/** A change of an application, or of one of its environments. */
interface RetireChange {
  readonly path: `/apps/${string}`;
  readonly action: AuditAction;
  readonly operation: Operation;
  readonly body: Joi.ObjectSchema<ChangeBody>;
  /** @throws ServiceError if the change is not possible */
  require(found: Retirable | undefined, target: Target, nothing: () => Promise<ServiceError>): Promise<Retirable>;
  do(trx: Knex, found: Retirable, body: ChangeBody): Promise<void>;
}

const retiring: RetireChange = {
  path: "/apps/retire",
  action: "app.retire",
  operation: operationOf(
    "Take an application, or one of its environments, out of everything that is read; what is stored of it is kept",
    "retireApp",
    jsonSchema(retireBody),
  ),
  body: retireBody,
  async require(found, target, nothing) {
    if (!found) throw await nothing();
    if (found.isAppRetired) throw appRetired([{ name: appName(target), path: "app" }]);
    if (found.isRetired) throw appRetired([{ name: target, path: target.env === undefined ? "app" : "env" }]);
    return found;
  },
  do: (trx, found, body) => retire(trx, found, body.reason ?? ""),
};

const restoring: RetireChange = {
  path: "/apps/restore",
  action: "app.restore",
  operation: operationOf(
    "Bring a retired application, or a retired environment, back as it was",
    "restoreApp",
    jsonSchema(restoreBody),
  ),
  body: restoreBody,
  async require(found, target) {
    if (found?.isAppRetired) throw appRetired([{ name: appName(target), path: "app" }]);
    if (!found?.isRetired) throw new ServiceError("not-found", `${shownTarget(target)} is not retired`);
    return found;
  },
  do: (trx, found) => restore(trx, found),
};

/** POST /apps/retire and POST /apps/restore */
export function retireRoutes(deps: AppsDependencies): ServerRoute[] {
  return [retiring, restoring].map((change) => changeRoute(change, deps));
}

function changeRoute(change: RetireChange, { database }: AppsDependencies): ServerRoute {
  return bodyRoute(
    `POST ${change.path}`,
    { auth: forAdmins, openapi: change.operation, isLong: true },
    async (sent, request, h) => {
      const value = validated(change.body, sent);
      const target: Target = { ...appName(value), ...(value.env !== undefined && { env: value.env }) };
      const grant = grantOf(request);
      requireWithin(grant, target);
      const act = async (trx: Knex.Transaction) => {
        if (!value.dry_run) await lockNames(trx);
        const found = await change.require(await findRetirable(trx, target), target, () =>
          nothingOf(trx, target, grant),
        );
        const amount = await amountOf(trx, found);
        const answer = { dry_run: value.dry_run, ...target, ...amount };
        if (value.dry_run) return answer;
        await change.do(trx, found, value);
        const details = { ...amount, ...(value.reason !== undefined && { reason: value.reason }) };
        await recordAudit(trx, { actor: actorOf(grant), action: change.action, target, details });
        return answer;
      };
      return respond(h, await changeOnce(database, request, sent, act, value.dry_run));
    },
  );
}
