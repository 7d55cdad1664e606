import type { Socket } from "node:net";
import knex, { type Knex } from "knex";
import ClientPGLite from "knex-pglite";
import type pg from "pg";
import { hasCode, ServiceError } from "../model/errors.ts";
import { lockDirectory } from "./directory-lock.ts";
import { createHealthCheck } from "./health-check.ts";
import { commitLimitMs, connectLimitMs, idleLimitMs, patienceMs } from "./patience.ts";

/** After so long the database ends a statement of a write. A failed one may be tried again within the caller's patience. */
const statementLimitMs = commitLimitMs;

/**
 * After so long a silence, in milliseconds, a connection that owes an answer to a write is ended: its other end may be gone
 * without a word, as after a failover, and the system would find out only after a quarter of an hour.
 */
const silenceLimitMs = patienceMs - 1_000;

/** So long a statement of a read or a command waits for a lock; those of writes set their own limit. */
const lockLimitMs = 500;

/** How long one statement of a scrape or of the background may take, in milliseconds: longer than any scrape timeout in use. */
const longPatienceMs = 60_000;

/** The same for a scrape: the database has rows for it all the time, once it has found the first. */
const scrapeSilenceLimitMs = 5_000;

/** knex writes connection errors to the console; whoever makes the call gets them too, and logs them. */
const quiet = { debug() {}, deprecate() {}, warn() {}, error() {} };

/** The state store. */
export interface Database {
  readonly engine: "postgres" | "pglite";
  /** For short reads and writes. */
  readonly knex: Knex;
  /** For scrapes, so that slow ones do not take the connections of writes. The embedded database has only one. */
  readonly scrapes: Knex;
  /** For the alert queue, whose statements may wait for locks. */
  readonly alerts: Knex;
  /** For migrations and for carrying rows over: a statement may take as long as it wants. */
  readonly background: Knex;
  /** Does the database answer, within 1.5 s? By a connection of its own, so that load does not pass for an outage. */
  answers(): Promise<boolean>;
  /** The same of a connection for scrapes; while all of them are taken it is false. */
  scrapesAnswer(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Connects when first used.
 *
 * @param url as `Config.databaseUrl`
 * @param poolMax connections for writes at the most; scrapes have two more, the alert queue two, and health checks
 * and migrations one each
 * @throws DirectoryError when the directory of the embedded database cannot be used, or another process has it
 */
export function openDatabase(url: string, poolMax: number): Database {
  return url.startsWith("pglite:") ? openEmbedded(url.slice("pglite:".length)) : openPostgres(url, poolMax);
}

function openPostgres(url: string, poolMax: number): Database {
  const connect = (
    name: string,
    { min = 0, max, connectMs, silenceMs, settings, pipeline = false }: PoolOptions,
  ): Knex =>
    knex({
      client: "pg",
      connection: {
        connectionString: url,
        application_name: name,
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        pipeline,
      },
      pool: {
        min,
        max,
        // By a statement, since pgbouncer turns away connections that ask for them as they open.
        afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
          if (silenceMs !== undefined) endWhenSilent(connection, silenceMs);
          connection.query(settings, (error) => done(error, connection));
        },
      },
      acquireConnectionTimeout: connectMs,
      log: quiet,
    } as Knex.Config);
  const limited = `SET statement_timeout = ${statementLimitMs}; SET lock_timeout = ${lockLimitMs};
    SET idle_in_transaction_session_timeout = ${idleLimitMs}`;
  const patient = `SET statement_timeout = ${longPatienceMs}`;
  const short = { connectMs: connectLimitMs, silenceMs: silenceLimitMs, settings: limited };
  const long = { max: 2, connectMs: patienceMs, settings: patient };
  const writes = connect("maturity-service", { ...short, max: poolMax, pipeline: true });
  const health = connect("maturity-service health", { ...short, min: 1, max: 1 });
  const scrapes = connect("maturity-service scrape", { ...long, silenceMs: scrapeSilenceLimitMs });
  const alerts = connect("maturity-service alerts", { ...long, silenceMs: longPatienceMs + silenceLimitMs });
  const background = connect("maturity-service background", long);
  const close = async () => {
    await Promise.all([writes, scrapes, alerts, background, health].map((pool) => pool.destroy()));
  };
  const [answers, scrapesAnswer] = [createHealthCheck(health), createHealthCheck(scrapes)];
  return { engine: "postgres", knex: writes, scrapes, alerts, background, answers, scrapesAnswer, close };
}

interface PoolOptions {
  readonly min?: number;
  readonly max: number;
  readonly connectMs: number;
  /** Absent where a statement may take as long as it wants. */
  readonly silenceMs?: number;
  /** A statement that each connection begins with. */
  readonly settings: string;
  /** Is a statement sent without waiting for the answer to the one before? */
  readonly pipeline?: boolean;
}

/** A connection of a pool, with what the types of the driver leave out. */
export type OpenClient = pg.Client & {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
};

function endWhenSilent(client: pg.Client, silenceMs: number): void {
  const open = client as OpenClient;
  const { stream } = open.connection;
  stream.setTimeout(silenceMs).on("timeout", () => {
    const { bytesRead } = stream;
    // After a stall of this process the answer may be here already, and is read only after timers had their turn.
    setImmediate(() => {
      if (!open.readyForQuery && stream.bytesRead === bytesRead) stream.destroy();
    });
  });
}

function openEmbedded(directory: string): Database {
  const inMemory = directory === ":memory:";
  const unlock = inMemory ? () => {} : lockDirectory(directory);
  const embedded = knex({
    client: ClientPGLite,
    connection: { filename: inMemory ? "memory://" : directory },
    log: quiet,
  } as Knex.Config);
  const close = async () => {
    await embedded.destroy();
    unlock();
  };
  const answers = createHealthCheck(embedded);
  const shared = {
    knex: embedded,
    scrapes: embedded,
    alerts: embedded,
    background: embedded,
    answers,
    scrapesAnswer: answers,
  };
  return { engine: "pglite", ...shared, close };
}

/**
 * Runs a call to the database and gives up after the store's patience.
 *
 * @throws ServiceError `store-unavailable` when the database is gone, refuses or takes too long. An error that says the
 * statement itself is wrong is passed on: it is a fault of this service.
 */
export async function withStore<T>(call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([call(), patience]);
  } catch (cause) {
    throw storeError(cause);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does the error say that the statement or its values are wrong, so that trying again cannot help? (SQLSTATE class 0A, 22,
 * 23, 42 or 54, and 25006 for a database that may only be read)
 */
export function isFaultOfStatement(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:0A|22|23|42|54|25006)/.test(String(error.code));
}

/** Did the statement give up waiting for a row that another transaction holds? */
export function isLocked(error: unknown): boolean {
  return hasCode(error, "55P03");
}

/** Did the database end the transaction, since what comes next did not reach it in time? Then nothing of it is stored. */
export function isEndedIdle(error: unknown): boolean {
  return hasCode(error, "25P03");
}

/** PostgreSQL quotes the row in two fields of the error; errors are logged, and what was reported does not belong there. */
export function withoutRow(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { detail: undefined, where: undefined }) : error;
}

/** The error that a caller is told for one that a call to the database met. */
export function storeError(cause: unknown): unknown {
  if (cause instanceof ServiceError) return cause;
  if (isFaultOfStatement(cause)) return withoutRow(cause);
  const message = "the database is not available or too slow; nothing is acknowledged, try again";
  return new ServiceError("store-unavailable", message, { cause });
}

/** Is the database not there, not ready yet or full? (SQLSTATE class 08, 53300, 57P01–57P03, and errors of the network) */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (/^(?:08|53300|57P0[1-3])|^E(?:CONN|HOST|NET|TIMEDOUT|AI_AGAIN|PIPE)|^ENOTFOUND/.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return /timeout|Connection terminated/i.test(error.message);
}
