import type { PGlite } from "@electric-sql/pglite";
import type { Knex } from "knex";
import pg from "pg";
import type { OpenClient } from "./database.ts";

/** A statement that each connection parses and plans once: always the same text for a name, with parameters as `$1`. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How one statement is stored. */
export interface Terms {
  /** So long it waits for a row that another transaction holds, in milliseconds. */
  readonly lockMs: number;
  /** Throws when the callers were refused in the meantime; then nothing is stored. */
  requireAwaited(): void;
}

/**
 * Runs one statement, and commits it once it was answered. Until then its rows stay locked: when the way to the database is
 * held up, nobody newer can have been acknowledged before the commit, and what came too late is rolled back.
 *
 * The beginning of the transaction and the statement go out together, so that this takes two turns to the database.
 */
export async function commitApart(
  knex: Knex,
  { name, text, values }: Prepared,
  { lockMs, requireAwaited }: Terms,
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
    requireAwaited();
    await run("COMMIT");
    return rows;
  } catch (error) {
    await run("ROLLBACK").catch(() => {}); // a connection that broke has nothing to roll back
    throw error;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** To hand a packet to the system takes longer than to make it. */
function inOnePacket<T>({ connection: { stream } }: OpenClient, send: () => T): T {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
