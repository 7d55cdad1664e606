import type { PGlite } from "@electric-sql/pglite";
import type { Knex } from "knex";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { hasCode, ServiceError } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { conjunction, isInAny } from "./conditions.ts";
import type { OpenClient } from "./connection.ts";
import type { Database } from "./database.ts";
import { isFaultOfStatement, loggable, storeError } from "./failures.ts";
import { type Pause, readScoreRows, type TakeScore } from "./score-rows.ts";
import { readRows, separator } from "./text-rows.ts";
import { millisOf } from "./utc.ts";

/** Time limit of a snapshot, in milliseconds: longer than any usual scrape timeout. */
const snapshotLimitMs = 60_000;

/** Reads rows within a snapshot. */
export interface Lines {
  /**
   * Runs a SELECT and returns its rows as lines, in pieces of any length. Columns are separated by tabs; null is an empty
   * text.
   *
   * @param pageRows most rows that the embedded database holds at a time, by default 1,000
   */
  (select: string, pageRows?: number): AsyncIterable<string | Uint8Array>;
  /**
   * Runs a SELECT and takes its rows: the ids of a target and a metric, an `int` and a `smallint`, a score, which is
   * `numeric`, a `timestamptz`, and a `text` that may be null.
   *
   * @param pause is awaited before each piece of the answer
   */
  scores(select: string, take: TakeScore, pause: Pause): Promise<void>;
}

/**
 * Reads from one snapshot of the store. The connection is released when `read` ends, and closed after an error. A
 * replica cancels a long read that blocks its replay; then the read is repeated once.
 *
 * @param pool `scrapes` or `reads` of the database
 * @param limit `none` for a command, which has no time limit
 * @param read called right before the snapshot is taken, so that the snapshot holds everything committed until then,
 * and on a replica everything replayed. It must never wait for a client, and may be called twice.
 * @throws ServiceError `store-unavailable`, also if the database is silent for 5 s in the middle. Errors of `read` are
 * rethrown.
 */
export async function readSnapshot<T>(
  database: Database,
  pool: Knex,
  read: (lines: Lines) => Promise<T>,
  limit: "scrape" | "none" = "scrape",
): Promise<T> {
  const take = () => readOnce(database, pool, read, limit);
  try {
    return await take().catch((error: unknown) => (isRecoveryConflict(error) ? take() : Promise.reject(error)));
  } catch (error) {
    throw database.replicaLag || isRecoveryConflict(error) ? replicaError(error) : storeError(error);
  }
}

/** Whether a replica cancelled the read. A transaction that only reads gets this error for no other reason. */
function isRecoveryConflict(error: unknown): boolean {
  return hasCode(error, "40001");
}

/** Turns an error of the replica into the error for the caller. */
function replicaError(cause: unknown): unknown {
  const isBehind = hasCode(cause, "42P01") || hasCode(cause, "42703");
  if (cause instanceof ServiceError || (isFaultOfStatement(cause) && !isBehind)) return storeError(cause);
  const broken = "the replica of the database cancelled the read twice, to replay changes of the primary";
  const behind = "the replica of the database has not replayed the newest change of the schema";
  const gone = "the replica of the database is not available or too slow";
  const reason = isRecoveryConflict(cause) ? broken : isBehind ? behind : gone;
  return new ServiceError("store-unavailable", `${reason}; writes go on, try again`, { cause: loggable(cause) });
}

async function readOnce<T>(
  { engine }: Database,
  pool: Knex,
  read: (lines: Lines) => Promise<T>,
  limit: "scrape" | "none",
): Promise<T> {
  const connection = await pool.client.acquireConnection();
  const { lines, end } = engine === "pglite" ? cursors(connection) : copies(connection);
  const timer = limit === "none" ? undefined : setTimeout(end, snapshotLimitMs);
  let lost: unknown;
  const note = (error: unknown) => {
    lost ??= error;
  };
  // A connection that ends between two statements reports why only by this event.
  if (connection instanceof pg.Client) connection.on("error", note);
  try {
    await connection.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (limit === "none") await connection.query("SET LOCAL statement_timeout = 0");
    const result = await read(lines);
    await connection.query("COMMIT");
    return result;
  } catch (error) {
    await end();
    throw isRecoveryConflict(lost) ? lost : error;
  } finally {
    clearTimeout(timer);
    if (connection instanceof pg.Client) connection.off("error", note);
    await pool.client.releaseConnection(connection);
  }
}

/** The time of the snapshot, by the database's clock. */
export async function readTime(lines: Lines): Promise<Date> {
  const select = `SELECT ${millisOf("clock_timestamp()")}`;
  let now = Number.NaN;
  for await (const rows of readRows(lines(select))) for (const [time] of rows) now = Number(time);
  return new Date(now);
}

/** Quotes a text as an SQL literal. */
export const quoted: (text: string) => string = pg.escapeLiteral;

/** SQL as text, with the values quoted. COPY takes no parameters. All values must be texts. */
export function textOf({ strings, values }: Sql): string {
  return String.raw({ raw: strings }, ...values.map((value) => quoted(String(value))));
}

/** The WHERE clause of a filter, as text. */
export function whereTarget({ within = [], ...filter }: TargetFilter): string {
  const columns: [string, readonly string[]][] = Object.entries(filter);
  const terms = [...columns.map(([column, values]) => sql`${raw(column)} IN (${join(values)})`), ...isInAny(within)];
  return terms.length > 0 ? `WHERE ${textOf(conjunction(terms))}` : "";
}

interface Transport {
  readonly lines: Lines;
  /** Ends the transaction, even in the middle of a statement. */
  end(): Promise<void>;
}

/**
 * PostgreSQL renders and streams the rows. Names cannot hold the quote and the delimiter of the CSV, so lines need no
 * unquoting. An empty text would be quoted; SELECTs of lines use null instead.
 */
function copies(client: pg.Client): Transport {
  const { stream } = (client as OpenClient).connection;
  const copy = (select: string, form: string) =>
    client.query(copyStreams.to(`COPY (${select}) TO STDOUT WITH (FORMAT ${form})`));
  return {
    lines: Object.assign((select: string) => copy(select, "csv, QUOTE E'\\x01', DELIMITER E'\\t'"), {
      scores: (select: string, take: TakeScore, pause: Pause) => readScoreRows(copy(select, "binary"), take, pause),
    }),
    /** Closes the connection too; the pool does not hand out a closed one. */
    async end() {
      const ended = client.end();
      stream.destroy();
      await ended;
    },
  };
}

/** The embedded database has no COPY TO STDOUT. A cursor limits the memory. */
function cursors(database: PGlite): Transport {
  async function* pages(select: string, pageRows = 1_000): AsyncGenerator<unknown[][]> {
    await database.query(`DECLARE page NO SCROLL CURSOR FOR ${select}`);
    for (;;) {
      const { rows } = await database.query<unknown[]>(`FETCH ${pageRows} FROM page`, [], { rowMode: "array" });
      if (rows.length === 0) break;
      yield rows;
    }
    await database.query("CLOSE page");
  }
  async function* lines(select: string, pageRows?: number): AsyncGenerator<string> {
    for await (const rows of pages(select, pageRows)) {
      yield rows.map((columns) => `${columns.join(separator)}\n`).join("");
    }
  }
  async function scores(select: string, take: TakeScore, pause: Pause): Promise<void> {
    const columns = `target, metric, score, ${millisOf("time")}, text`;
    for await (const rows of pages(`SELECT ${columns} FROM (${select}) AS found (target, metric, score, time, text)`)) {
      await pause();
      for (const [target, metric, score, time, text] of rows) {
        take(Number(target), Number(metric), Number(score), Number(time), String(text ?? ""));
      }
    }
  }
  return {
    lines: Object.assign(lines, { scores }),
    /** The only connection stays open. A closed database needs no rollback. */
    async end() {
      await database.query("ROLLBACK").catch(() => {});
    },
  };
}
