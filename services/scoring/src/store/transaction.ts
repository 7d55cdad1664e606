import type { PGlite } from "@electric-sql/pglite";
import type { Knex } from "knex";
import pg from "pg";
import type { OpenClient } from "./connection.ts";

/**
 * A prepared statement: each connection parses and plans it once. A name always stands for the same text. Parameters
 * are written as `$1`.
 */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How something is stored. */
export interface Terms {
  /** How long a statement waits for a locked row, in milliseconds. */
  readonly lockMs: number;
  /** Throws if nothing may be stored any more. It is asked between the statement and its commit. */
  readonly signal: Pick<AbortSignal, "throwIfAborted">;
}

/**
 * Runs one statement, and commits it after its answer. Until then its rows stay locked, so no newer report of theirs
 * can be acknowledged before the commit; and if the answer comes too late, the statement is rolled back.
 *
 * BEGIN and the statement are sent together, so this takes two round trips to the database.
 */
export async function commitApart(
  knex: Knex,
  { name, text, values }: Prepared,
  { lockMs, signal }: Terms,
): Promise<pg.QueryResultRow[]> {
  const connection: OpenClient | PGlite = await knex.client.acquireConnection();
  const run = (sql: string) => (connection instanceof pg.Client ? connection.query(sql) : connection.exec(sql));
  const begin = () =>
    Promise.all([
      run(`BEGIN; SET LOCAL lock_timeout = ${lockMs}`),
      connection instanceof pg.Client
        ? connection.query({ name, text, values: [...values] })
        : connection.query<pg.QueryResultRow>(text, [...values]),
    ]);
  try {
    const [, { rows }] = await (connection instanceof pg.Client ? inOnePacket(connection, begin) : begin());
    signal.throwIfAborted();
    await run("COMMIT");
    return rows;
  } catch (error) {
    await run("ROLLBACK").catch(() => {}); // a connection that broke has nothing to roll back
    throw error;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** Sends several messages in one packet: handing a packet to the operating system takes longer than making it. */
function inOnePacket<T>({ connection: { stream } }: OpenClient, send: () => T): T {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * Runs work in a transaction. If it fails, that error is thrown: where the connection is gone, knex would throw the error of
 * the rollback instead, which does not tell why.
 */
export async function inTransaction<Done>(knex: Knex, work: (trx: Knex.Transaction) => Promise<Done>): Promise<Done> {
  let failure: { readonly error: unknown } | undefined;
  const noting = (trx: Knex.Transaction) =>
    work(trx).catch((error: unknown) => {
      failure = { error };
      throw error;
    });
  try {
    return await knex.transaction(noting);
  } catch (error) {
    throw failure ? failure.error : error;
  }
}
