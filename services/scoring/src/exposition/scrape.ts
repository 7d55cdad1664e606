import type { Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import { type Database, storeError } from "../store/database.ts";
import type { Samples } from "./exposition.ts";

/** Which rows a scrape shows: where a name is given, only rows with one of its values. */
export interface ScrapeFilter {
  readonly area?: readonly string[];
  readonly team?: readonly string[];
  readonly app?: readonly string[];
  readonly env?: readonly string[];
}

/** How long a snapshot may hold its connection, in milliseconds: longer than any scrape timeout in use. */
const copyLimitMs = 60_000;

/**
 * Reads from one snapshot of the store. It holds a connection until `read` is over and no longer: whatever goes wrong, the
 * connection is given back or ended.
 *
 * @param read is called right before the snapshot is taken: it shows what was committed until then, and perhaps a little
 * more. It must read at its own pace, never at that of a caller.
 * @throws ServiceError `store-unavailable`, also when the database falls silent for 5 s in the middle; what `read` throws
 */
export async function readSnapshot<T>(
  { engine, scrapes }: Database,
  filter: ScrapeFilter,
  read: (samples: Samples) => Promise<T>,
): Promise<T> {
  const where = condition(filter);
  const connection = await scrapes.client.acquireConnection().catch((error: unknown) => {
    throw storeError(error);
  });
  const { lines, end } = engine === "pglite" ? cursors(connection) : copies(connection);
  const timer = setTimeout(end, copyLimitMs);
  try {
    await connection.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const result = await read((family, { name }) =>
      lines(`SELECT '${name}' || ${columns[family]} FROM ${tables[family]} ${where}`),
    );
    await connection.query("COMMIT");
    return result;
  } catch (error) {
    await end();
    throw storeError(error);
  } finally {
    clearTimeout(timer);
    await scrapes.client.releaseConnection(connection);
  }
}

const tables = { scores: "scores", timestamps: "scores", problems: "problems" } as const;

const columns = {
  scores: "labels || ' ' || score",
  timestamps: "labels || ' ' || round(extract(epoch FROM reported_at)::numeric, 3)",
  problems: "labels || ' ' || count",
} as const;

/** COPY takes no parameters, so the values are quoted by the driver. */
function condition(filter: ScrapeFilter): string {
  const terms = Object.entries(filter).map(
    ([column, values]: [string, readonly string[]]) => `${column} IN (${values.map(pg.escapeLiteral).join(", ")})`,
  );
  return terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
}

interface Transport {
  lines(select: string): AsyncIterable<string | Uint8Array>;
  /** Ends the transaction in the middle of whatever it does. */
  end(): Promise<void>;
}

/** PostgreSQL renders and streams. As CSV with a quote and a delimiter that no name can hold, lines come out as they are. */
function copies(client: pg.Client): Transport {
  const { stream } = (client as pg.Client & { readonly connection: { readonly stream: Socket } }).connection;
  return {
    lines: (select) =>
      client.query(copyStreams.to(`COPY (${select}) TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`)),
    /** With the connection, which the pool does not hand out again once it is closed. */
    async end() {
      const ended = client.end();
      stream.destroy();
      await ended;
    },
  };
}

/** The embedded database has no COPY TO STDOUT; a cursor keeps what is held at a time small. */
function cursors(database: PGlite): Transport {
  return {
    async *lines(select) {
      await database.query(`DECLARE page NO SCROLL CURSOR FOR SELECT line FROM (${select}) AS lines (line)`);
      for (;;) {
        const { rows } = await database.query<{ line: string }>("FETCH 1000 FROM page");
        if (rows.length === 0) break;
        yield rows.map(({ line }) => `${line}\n`).join("");
      }
      await database.query("CLOSE page");
    },
    /** Its one connection stays; a database that was closed needs no end. */
    async end() {
      await database.query("ROLLBACK").catch(() => {});
    },
  };
}
