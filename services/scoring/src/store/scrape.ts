import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import type { Samples } from "../exposition/exposition.ts";
import { type Database, withStore } from "./database.ts";

/** Which rows a scrape shows: where a name is given, only rows with one of its values. */
export interface ScrapeFilter {
  readonly area?: readonly string[];
  readonly team?: readonly string[];
  readonly app?: readonly string[];
  readonly env?: readonly string[];
}

/** A consistent view of the store. */
export interface Snapshot {
  readonly samples: Samples;
  /** Gives the connection back. @param complete false ends it, and with it what is still under way */
  close(complete: boolean): Promise<void>;
}

/**
 * Takes a snapshot of the store. It holds one connection until it is closed.
 *
 * @throws ServiceError `store-unavailable`
 */
export async function takeSnapshot({ engine, scrapes }: Database, filter: ScrapeFilter): Promise<Snapshot> {
  const where = condition(filter);
  const open = engine === "pglite" ? openCursors : openCopies;
  return withStore(async () => {
    const connection = await scrapes.client.acquireConnection();
    const { lines, end } = open(connection);
    const release = () => scrapes.client.releaseConnection(connection);
    try {
      await connection.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    } catch (error) {
      await end(false);
      await release();
      throw error;
    }
    return {
      samples: (family, { name }) => lines(`SELECT '${name}' || ${columns[family]} FROM ${tables[family]} ${where}`),
      close: async (complete) => {
        try {
          await end(complete);
        } finally {
          await release();
        }
      },
    };
  });
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
  end(complete: boolean): Promise<void>;
}

/** PostgreSQL renders and streams. As CSV with a quote and a delimiter that no name can hold, lines come out as they are. */
function openCopies(connection: pg.Client & { connection: { stream: { destroy(): void } } }): Transport {
  return {
    lines: (select) =>
      connection.query(
        copyStreams.to(`COPY (${select}) TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`),
      ),
    async end(complete) {
      if (complete) {
        await connection.query("COMMIT");
        return;
      }
      const ended = connection.end(); // before the pool has it back, so that it does not hand it out again
      connection.connection.stream.destroy();
      await ended;
    },
  };
}

/** The embedded database has no COPY TO STDOUT; a cursor keeps what is held at a time small. */
function openCursors(connection: PGlite): Transport {
  return {
    async *lines(select) {
      await connection.query(`DECLARE page NO SCROLL CURSOR FOR SELECT line FROM (${select}) AS lines (line)`);
      for (;;) {
        const { rows } = await connection.query<{ line: string }>("FETCH 1000 FROM page");
        if (rows.length === 0) break;
        yield rows.map(({ line }) => `${line}\n`).join("");
      }
      await connection.query("CLOSE page");
    },
    async end(complete) {
      await connection.query(complete ? "COMMIT" : "ROLLBACK");
    },
  };
}
