import type { Request } from "@hapi/hapi";
import type Joi from "joi";
import type { Knex } from "knex";
import { grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { readKey } from "../http/idempotency.ts";
import type { AppName } from "../model/app-name.ts";
import { hasCode, ServiceError } from "../model/errors.ts";
import { target } from "../model/fields.ts";
import { type Json, text } from "../openapi/operation.ts";
import type { RollUpRules } from "../rollups/rules.ts";
import type { Database } from "../store/database.ts";
import { isLocked, loggable, storeError, withStore } from "../store/failures.ts";
import { type ExecutedOnce, executeOnce } from "../store/idempotency-keys.ts";
import { commitLimitMs } from "../store/patience.ts";

/** The dependencies of the routes that change applications. */
export interface AppsDependencies {
  readonly database: Database;
  /** Whether changes of scores are recorded. */
  readonly hasHistory: boolean;
  /** By which scores of metrics become those of applications. */
  readonly rules: RollUpRules;
}

/** The fields of a body that name an application. */
export const appFields: Readonly<Record<keyof AppName, Joi.StringSchema>> = {
  area: target.area,
  team: target.team,
  app: target.app,
};

/** The properties that name an application in an answer, as JSON Schemas. */
export const nameProperties: Json = { area: text, team: text, app: text };

/**
 * How long an admin transaction waits for a lock, in milliseconds. Submissions of its applications wait behind it, each at
 * most as long as a submission may wait.
 */
const lockMs = 2_000;

/** Time limit of each statement of a long admin transaction, in milliseconds. */
const statementMs = 30_000;

/**
 * The database ends a long admin transaction that is idle for this long, in milliseconds, so that its rows are free.
 */
const idleMs = 5_000;

const longLimits = `, set_config('statement_timeout', '${statementMs}', true),
  set_config('idle_in_transaction_session_timeout', '${idleMs}', true)`;

/** The SQLSTATE of an unsupported feature. */
const notSupported = "0A000";

const cannotMove =
  "the database does not support what this needs; nothing is changed: a distributed PostgreSQL such as Citus cannot give a score to another application";

/** Runs a long change of applications, once for the key of its request; a dry run each time. @throws as `inAdminTransaction` */
export function changeOnce<Done extends object>(
  { background }: Database,
  request: Request,
  sent: object,
  change: (trx: Knex.Transaction) => Promise<Done>,
  isDry: boolean,
): Promise<ExecutedOnce<Done>> {
  const key = readKey(request, grantOf(request).caller, sent);
  const once = (trx: Knex.Transaction) => executeOnce(trx, isDry ? undefined : key, () => change(trx));
  return inAdminTransaction(background, request, once, true);
}

/**
 * Runs a change of applications in one transaction, as long as the caller waits.
 *
 * @param isLong whether it may take longer than a submission; then only its commit has the time limit of the store
 * @throws ServiceError `store-unavailable` if a row that it needs is locked, or the caller is gone; `internal` if the
 * database does not support it. Then nothing is changed. `store-unavailable` also as `withStore`.
 */
export async function inAdminTransaction<Done>(
  knex: Knex,
  { raw }: Pick<Request, "raw">,
  change: (trx: Knex.Transaction) => Promise<Done>,
  isLong = false,
): Promise<Done> {
  const deadline = deadlineOf(raw.req);
  if (isLong) deadline.hold();
  const committing = new AbortController();
  const changed = () =>
    knex.transaction(async (trx) => {
      deadline.signal.throwIfAborted(); // it may have waited for a connection
      await trx.raw(`SELECT set_config('lock_timeout', '${lockMs}', true) ${isLong ? longLimits : ""}`);
      const done = await change(trx);
      deadline.signal.throwIfAborted();
      if (isLong) setTimeout(() => committing.abort(), commitLimitMs).unref();
      return done;
    });
  return withStore(() => changed().catch(refuse), isLong ? committing.signal : deadline.signal);
}

function refuse(cause: unknown): never {
  if (hasCode(cause, notSupported)) throw new ServiceError("internal", cannotMove, { cause: loggable(cause) });
  if (!isLocked(cause)) throw storeError(cause);
  const message = `a row or table that this needs was locked for more than ${lockMs / 1_000} s; nothing is changed, try again`;
  throw new ServiceError("store-unavailable", message, { cause: loggable(cause) });
}
