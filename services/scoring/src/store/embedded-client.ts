import type { PGlite } from "@electric-sql/pglite";
import ClientPGLite from "knex-pglite";
import { sessionSettings } from "./session-settings.ts";

/** The client of the embedded database. Its only connection starts with the same settings as those of a pool. */
export class EmbeddedClient extends ClientPGLite {
  override async acquireRawConnection(): Promise<PGlite> {
    const connection: PGlite = await super.acquireRawConnection();
    await connection.exec(sessionSettings);
    return connection;
  }
}
