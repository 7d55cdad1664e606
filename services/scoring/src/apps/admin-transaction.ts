import type { Request } from "@hapi/hapi";
import type Joi from "joi";
import type { Knex } from "knex";
import { deadlineOf } from "../http/deadline.ts";
import type { AppName } from "../model/app-name.ts";
import { hasCode, ServiceError } from "../model/errors.ts";
import { target } from "../model/fields.ts";
import type { Json } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { isLocked, storeError, withoutRow } from "../store/failures.ts";

/** What the routes need that change applications. */
export interface AppsDependencies {
  readonly database: Database;
  /** Are changes of scores recorded? */
  readonly hasHistory: boolean;
}

/** The fields of a body that name an application. */
export const appFields: Readonly<Record<keyof AppName, Joi.StringSchema>> = {
  area: target.area,
  team: target.team,
  app: target.app,
};

const text: Json = { type: "string" };

/** The properties that name an application in an answer, as JSON Schemas. */
export const nameProperties: Json = { area: text, team: text, app: text };

/**
 * How long an action waits for a lock, in milliseconds. Those who report of its applications wait behind it, each at most as
 * long as a report may wait.
 */
const lockMs = 2_000;

/** Time limit of each statement of an action that may take long, in milliseconds. */
const statementMs = 30_000;

/**
 * The database ends an action that may take long and waits for its next statement for this long, in milliseconds, so that its
 * rows are free.
 */
const idleMs = 5_000;

const longLimits = `, set_config('statement_timeout', '${statementMs}', true),
  set_config('idle_in_transaction_session_timeout', '${idleMs}', true)`;

/** The SQLSTATE of what a database does not do. */
const notSupported = "0A000";

const cannotMove =
  "the database does not support what this needs; nothing is changed: a distributed PostgreSQL such as Citus keeps a score where its application is, and gives it to no other one";

/**
 * Does something to applications, in one transaction, as long as the caller waits.
 *
 * @param isLong may it take longer than a report?
 * @throws ServiceError `store-unavailable` if anything that it needs is locked, or the caller is gone; `internal` if
 * the database cannot do it. Then nothing is done.
 */
export async function inAdminTransaction<Done>(
  knex: Knex,
  { raw }: Pick<Request, "raw">,
  action: (trx: Knex.Transaction) => Promise<Done>,
  isLong = false,
): Promise<Done> {
  const deadline = deadlineOf(raw.req);
  if (isLong) deadline.hold();
  try {
    return await knex.transaction(async (trx) => {
      deadline.signal.throwIfAborted(); // it may have waited for a connection
      await trx.raw(`SELECT set_config('lock_timeout', '${lockMs}', true) ${isLong ? longLimits : ""}`);
      const done = await action(trx);
      deadline.signal.throwIfAborted();
      return done;
    });
  } catch (cause) {
    if (hasCode(cause, notSupported)) throw new ServiceError("internal", cannotMove, { cause: withoutRow(cause) });
    if (!isLocked(cause)) throw storeError(cause);
    const message = `something else has locked what is needed for more than ${lockMs / 1_000} s; nothing is changed, try again`;
    throw new ServiceError("store-unavailable", message, { cause });
  }
}
