import { createHash } from "node:crypto";
import type { Request, ResponseObject, ResponseToolkit } from "@hapi/hapi";
import type { Knex } from "knex";
import { invalidPayload } from "../model/errors.ts";
import type { Json } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { storeDecision } from "../store/decision.ts";
import { type ExecutedOnce, executeOnce, type IdempotencyKey } from "../store/idempotency-keys.ts";
import { grantOf } from "./caller.ts";
import { deadlineOf } from "./deadline.ts";

const form = /^[\x21-\x7e]{1,200}$/;

/** The header by which a request that makes something can be repeated, for the description of its route. */
export const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes the request repeatable for a day: the same caller with the same key and request gets the first answer again, with `Idempotency-Replayed: true`, and nothing is made twice. A fresh UUID, for example",
  schema: { type: "string", pattern: form.source },
};

/**
 * The key of a request, if it has one.
 *
 * @param caller as `Grant.caller`
 * @param body the whole request, apart from its path
 * @throws ServiceError `invalid-payload`
 */
export function readKey(request: Request, caller: string, body: object): IdempotencyKey | undefined {
  const key = request.raw.req.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !form.test(key)) {
    throw invalidPayload([{ path: "Idempotency-Key", message: "must be 1 to 200 visible ASCII characters" }]);
  }
  return { id: hash([caller, key]), request: hash([request.method, request.path, body]) };
}

/** Stores a decision as `storeDecision` does, once for the key of its request. */
export function decideOnce<Answer extends object>(
  database: Pick<Database, "decisions">,
  request: Request,
  body: object,
  decide: (trx: Knex.Transaction) => Promise<Answer>,
): Promise<ExecutedOnce<Answer>> {
  const key = readKey(request, grantOf(request).caller, body);
  const { signal } = deadlineOf(request.raw.req);
  return storeDecision(database, signal, (trx) => executeOnce(trx, key, () => decide(trx)));
}

/** The response to a request that has made something, or had made it before. */
export function respond(h: ResponseToolkit, { answer, isReplayed }: ExecutedOnce<object>): ResponseObject {
  const response = h.response(answer);
  return isReplayed ? response.header("idempotency-replayed", "true") : response;
}

function hash(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
