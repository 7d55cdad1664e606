import { isDeepStrictEqual } from "node:util";
import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import type { Knex } from "knex";
import { findTokensLeftBehind } from "../auth/tokens.ts";
import { bodyRoute } from "../http/body.ts";
import { forAdmins, grantOf } from "../http/caller.ts";
import { idempotencyKey, respond } from "../http/idempotency.ts";
import { flag } from "../lists/query.ts";
import { type AppName, isSameName, type Subtree, shownName, shownTarget } from "../model/app-name.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { name, strict, validated } from "../model/fields.ts";
import { actorOf, type Grant, isWithin, requireWithin } from "../model/grant.ts";
import { bodyOperation, count, type Json, jsonSchema, object } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { moveNames } from "../store/moving/move.ts";
import { listMoving, type Plan, planMove } from "../store/moving/plan.ts";
import { findCurrentNames } from "../store/names.ts";
import { type AppsDependencies, changeOnce, nameProperties } from "./admin-transaction.ts";

interface MoveBody {
  readonly from: Subtree;
  readonly to: Subtree;
  readonly merge: boolean;
  readonly dry_run: boolean;
}

const subtree = Joi.object<Subtree>({
  area: name(200).required().description("The area"),
  team: name(200).description("The team; all of the area without it"),
  app: name(200).description("The application; all of the team without it"),
})
  .with("app", "team")
  .messages({
    "object.base": "must be an object with an area, and with a team and an app where one of these moves",
    "object.with": "must name the team of the application too",
  })
  .required();

const body = Joi.object<MoveBody>({
  from: subtree.description("What moves: an application, a team or an area"),
  to: subtree.description("Its new name, of the same depth"),
  merge: flag("Joins it with what has the name already"),
  dry_run: flag("Only shows the effect"),
}).prefs(strict);

const subtreeSchema: Json = { type: "object", properties: nameProperties, required: ["area"] };

const operation = bodyOperation({
  operationId: "moveApps",
  summary: "Rename an application, a team or an area, or merge it into another one, with all that is stored of it",
  parameters: [idempotencyKey],
  request: "MoveRequest",
  answers: { 200: ["Moved, or what would be done", "MoveResponse"] },
  errors: ["not-found", "app-exists", "app-retired", "idempotency-key-reused"],
  schemas: {
    MoveRequest: jsonSchema(body),
    MoveResponse: object({
      dry_run: { type: "boolean" },
      from: subtreeSchema,
      to: subtreeSchema,
      apps: { ...count, description: "How many applications move" },
      names: { type: "array", items: object(nameProperties), description: "The first hundred of them" },
      ...{ scores: count, problems: count },
      merged: {
        ...object({ scores: count, problems: count }),
        description: "How many of them the target has too, so that the newer of the two stays",
      },
      conflicts: {
        type: "array",
        items: {
          type: "object",
          properties: {
            ...nameProperties,
            kind: { enum: ["exists", "retired", "former-name"], description: "`exists` gives way to `merge`" },
            reason: { type: "string" },
          },
          required: ["area", "kind", "reason"],
        },
        description: "What stands in the way, if it is a dry run; the first hundred",
      },
      tokens: {
        type: "array",
        items: object({ id: { type: "integer" }, name: { type: "string" } }),
        description:
          "The tokens in use that reach it by its old name alone, the first hundred: with them it can be reported under the old name, and nothing else",
      },
    }),
  },
});

/** POST /apps/move: renames applications in one transaction. Their former names lead to them too. */
export function moveRoute({ database, hasHistory }: AppsDependencies): ServerRoute {
  return bodyRoute(
    "POST /apps/move",
    { auth: forAdmins, openapi: operation, isLong: true },
    async (sent, request, h) => {
      const { from, to, merge, dry_run } = validated(body, sent);
      const grant = grantOf(request);
      requireWithin(grant, from, "from");
      requireWithin(grant, to, "to");
      requireMovable(from, to);
      const move = async (trx: Knex.Transaction) => {
        if (!dry_run) await lockNames(trx);
        await listMoving(trx, from, to);
        const plan = await planMove(trx, { from, to, merge, grant });
        if (plan.apps === 0) throw await nothingOf(trx, from, grant);
        if (!dry_run) {
          requireNoConflict(plan);
          await moveNames(trx, from, to, hasHistory);
          const { conflicts: _, names: __, ...done } = plan;
          await recordAudit(trx, {
            actor: actorOf(grant),
            action: "app.move",
            target: from,
            details: { to, merge, ...done },
          });
        }
        return { dry_run, from, to, ...plan, tokens: await findTokensLeftBehind(trx, { from, to }, grant) };
      };
      return respond(h, await changeOnce(database, request, sent, move, dry_run));
    },
  );
}

function requireMovable(from: Subtree, to: Subtree): void {
  if (depthOf(from) !== depthOf(to)) {
    throw invalidPayload([
      { path: "to", message: "must have the same depth as from: area, area and team, or all three" },
    ]);
  }
  if (isDeepStrictEqual(from, to)) throw invalidPayload([{ path: "to", message: "must differ from from" }]);
}

function depthOf({ team, app }: Subtree): number {
  return app !== undefined ? 3 : team !== undefined ? 2 : 1;
}

function requireNoConflict({ conflicts }: Plan): void {
  const [first] = conflicts;
  if (!first) return;
  throw new ServiceError(first.kind === "retired" ? "app-retired" : "app-exists", first.reason, {
    details: conflicts.map(({ reason }) => ({ path: "to", message: reason })),
  });
}

/** The error for a name of which nothing is stored. It shows the current name if that is within the caller's bounds. */
export async function nothingOf(
  trx: Knex,
  from: Subtree & { readonly env?: string },
  grant: Grant,
): Promise<ServiceError> {
  const { area, team = "", app = "" } = from;
  const named: AppName = { area, team, app };
  const [current] = await findCurrentNames(trx, [named]);
  const isShown = current && !isSameName(current.name, named) && isWithin(grant, current.name);
  const now = isShown ? `; it is called ${shownName(current.name)} now` : "";
  return new ServiceError("not-found", `nothing is stored or registered of ${shownTarget(from)}${now}`);
}
