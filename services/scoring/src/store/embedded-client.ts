import type { PGlite } from "@electric-sql/pglite";
import ClientPGLite from "knex-pglite";
import { sessionSettings } from "./session-settings.ts";
import { yieldToEventLoop } from "./slices.ts";

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
    await yieldToEventLoop();
    return super.query(connection, statement);
  }
}
