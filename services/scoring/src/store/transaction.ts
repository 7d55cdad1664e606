import type { PGlite } from "@electric-sql/pglite";
import type { Knex } from "knex";
import pg from "pg";
import { hasCode } from "../model/errors.ts";
import { isConnectionLost } from "./failures.ts";

/**
 * A prepared statement: each connection parses and plans it once. A name always stands for the same text. Parameters
 * are written as `$1`.
 */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The conditions of a write. */
export interface Terms {
  /** How long the statement waits for a locked row, in milliseconds. */
  readonly lockMs: number;
  /** Whether the wait is so long that the signal is checked again before the commit. */
  readonly isPatient: boolean;
  /** Throws if nothing may be stored any more. It is checked before the work begins. */
  readonly signal: Pick<AbortSignal, "throwIfAborted">;
}

/** Runs a statement, which commits by itself. */
export async function execute(
  knex: Knex,
  { name, text, values }: Prepared,
  signal: Terms["signal"],
): Promise<pg.QueryResultRow[]> {
  const connection: pg.Client | PGlite = await knex.client.acquireConnection();
  try {
    signal.throwIfAborted();
    const { rows } = await (connection instanceof pg.Client
      ? connection.query({ name, text, values: [...values] })
      : connection.query<pg.QueryResultRow>(text, [...values]));
    return rows;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** The errors of lost connections that came before the commit. */
const beforeCommit = new WeakSet<object>();

/**
 * Runs work in a transaction and rethrows its error. After a lost connection, knex would throw the error of the
 * rollback instead, which has no reason.
 */
export async function inTransaction<Done>(knex: Knex, work: (trx: Knex.Transaction) => Promise<Done>): Promise<Done> {
  let failure: { readonly error: unknown } | undefined;
  const noting = (trx: Knex.Transaction) =>
    work(trx).catch((error: unknown) => {
      if (error instanceof Error && isConnectionLost(error)) beforeCommit.add(error);
      failure = { error };
      throw error;
    });
  try {
    return await knex.transaction(noting);
  } catch (error) {
    throw failure ? failure.error : error;
  }
}

/**
 * Whether a transaction lost its connection and stored nothing: before its commit was sent, or because the database
 * ended it while it was idle for too long. The connection may break before this reason is read.
 */
export function isUncommitted(error: unknown): boolean {
  return hasCode(error, "25P03") || (error instanceof Error && beforeCommit.has(error));
}
