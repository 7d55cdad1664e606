import { setImmediate as nextTurn } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import ClientPGLite from "knex-pglite";
import { sessionSettings } from "./session-settings.ts";

/** How long statements may follow each other within one turn of the event loop, in milliseconds. */
const sliceMs = 5;

/** When the slice of this turn ends. All clients share it, because knex makes one for each transaction. */
let sliceEnd = 0;

/**
 * The client of the embedded database. Its only connection starts with the same settings as those of a pool. The database
 * computes in this thread and answers within the same turn of the event loop, so requests are served between statements.
 */
export class EmbeddedClient extends ClientPGLite {
  override async acquireRawConnection(): Promise<PGlite> {
    const connection: PGlite = await super.acquireRawConnection();
    await connection.exec(sessionSettings);
    return connection;
  }

  override async query(connection: PGlite, statement: unknown): Promise<unknown> {
    if (performance.now() > sliceEnd) {
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
    return super.query(connection, statement);
  }
}
