import { hasCode, ServiceError } from "../model/errors.ts";
import { commitLimitMs, patienceMs } from "./patience.ts";

/**
 * Runs a call to the database with the store's time limit.
 *
 * @param signal of the caller, for a call that stores nothing once it is aborted. A commit under way ends before the
 * time limit.
 * @throws ServiceError `store-unavailable` if the database is gone, refuses or takes too long. Errors about the
 * statement itself are rethrown, because they are faults of this service.
 */
export async function withStore<T>(
  call: () => Promise<T>,
  signal: AbortSignal = AbortSignal.timeout(commitLimitMs),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = Promise.withResolvers<never>();
  const endSoon = () => {
    const refuse = () => late.reject(new Error(`no answer within ${patienceMs} ms`));
    timer = setTimeout(refuse, patienceMs - commitLimitMs);
  };
  if (signal.aborted) endSoon();
  else signal.addEventListener("abort", endSoon);
  try {
    return await Promise.race([call(), late.promise]);
  } catch (cause) {
    throw storeError(cause);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", endSoon);
  }
}

/**
 * Whether the statement or its values are at fault, so that a retry cannot help: SQLSTATE class 0A, 22, 23, 42 or 54,
 * or 25006 for a read-only database.
 */
export function isFaultOfStatement(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:0A|22|23|42|54|25006)/.test(String(error.code));
}

/** Whether the statement stopped waiting for a locked row. */
export function isLocked(error: unknown): boolean {
  return hasCode(error, "55P03");
}

/** Whether the statement met a locked row or was ended by a deadlock. */
export function isContended(error: unknown): boolean {
  return isLocked(error) || hasCode(error, "40P01");
}

/** The reason in the message of an error; knex puts the whole statement before it. */
export function reasonOf({ message }: Error): string {
  return message.split(" - ").at(-1) ?? message;
}

/** The fields in which PostgreSQL quotes a row, and the embedded database the statement with its values. */
const quoting = { detail: undefined, where: undefined, query: undefined, params: undefined };

/** Removes what must not be logged: the statement and reported data. */
export function loggable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const stack = error.stack?.replace(error.message, () => reasonOf(error));
  return Object.assign(error, { message: reasonOf(error), stack, ...quoting });
}

/** Errors that the language throws are faults of this service, not of the database. */
const faultsOfCode = [TypeError, RangeError, ReferenceError, SyntaxError];

/** The error for the caller, made from an error of the database. */
export function storeError(cause: unknown): unknown {
  if (cause instanceof ServiceError || faultsOfCode.some((fault) => cause instanceof fault)) return cause;
  loggable(cause);
  if (isFaultOfStatement(cause)) return cause;
  const message = "the database is not available or too slow; nothing is acknowledged, try again";
  return new ServiceError("store-unavailable", message, { cause });
}

/** The result of a read. @throws as `storeError` says */
export function orStoreError<Read>(reading: Promise<Read>): Promise<Read> {
  return reading.catch((error: unknown) => {
    throw storeError(error);
  });
}

/** Whether an open connection broke, or the database ended it: SQLSTATE class 08, 57P01 to 57P03, and errors of the network. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (/^(?:08|57P0[1-3])|^E(?:CONN|HOST|NET|TIMEDOUT|AI_AGAIN|PIPE)|^ENOTFOUND/.test(code)) return true;
  return /Connection terminated|connection error and is not queryable/.test(error.message);
}

/** Whether the database is missing, not ready yet or full, as after a lost connection or with SQLSTATE 53300. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConnectionLost(error) || /timeout/i.test(error.message)) return true;
  if (error instanceof ServiceError && error.cause !== undefined) return isUnreachable(error.cause);
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return hasCode(error, "53300");
}
