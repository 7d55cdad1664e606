import type { PGlite } from "@electric-sql/pglite";
import knex, { type Knex } from "knex";
import type pg from "pg";
import { endWhenSilent, withAppliedMode } from "./connection.ts";
import { lockDirectory } from "./directory-lock.ts";
import { EmbeddedClient } from "./embedded-client.ts";
import { noteErrors } from "./explain-database.ts";
import { createHealthCheck } from "./health-check.ts";
import { commitLimitMs, connectLimitMs, idleLimitMs, patienceMs } from "./patience.ts";
import { createLagMeter, type Lag } from "./replica-lag.ts";
import { createProof, type Proof } from "./same-database.ts";
import { sessionSettings } from "./session-settings.ts";

/**
 * Time limit of a statement that writes, in milliseconds; the database enforces it. A failed statement can still be
 * repeated before the caller's deadline.
 */
const statementLimitMs = commitLimitMs;

/**
 * A connection without an answer to a write for this long is closed, in milliseconds. After a failover the operating
 * system would notice only after a quarter of an hour.
 */
const silenceLimitMs = patienceMs - 1_000;

/** How long a statement of a read or a command waits for a lock, in milliseconds. Writes set their own limit. */
const lockLimitMs = 500;

/**
 * Time limit of a statement of a scrape or in the background, in milliseconds: longer than any usual scrape timeout.
 */
const longPatienceMs = 60_000;

/**
 * The database ends a transaction of the alert queue that is idle for this long, in milliseconds, so that its rows are
 * free.
 */
const alertsIdleLimitMs = 5_000;

/**
 * A connection of a scrape without data for this long is closed, in milliseconds. From the first row on, the database
 * sends all the time.
 */
const scrapeSilenceLimitMs = 5_000;

/**
 * How long a statement of a scrape waits for a lock, in milliseconds. It ends before its connection is closed, since the
 * database would go on waiting for a closed one.
 */
const scrapeLockLimitMs = scrapeSilenceLimitMs - 1_000;

/** Time limit of a statement of the read API, in milliseconds. */
const readLimitMs = 15_000;

/** Keeps knex from writing connection errors to the console. Callers get these errors and log them. */
const quiet = { debug() {}, deprecate() {}, warn() {}, error() {} };

/** The database and its connection pools. */
export interface Database {
  readonly engine: "postgres" | "pglite";
  /** For writes and short reads. */
  readonly knex: Knex;
  /** For scrapes, so that they do not use up the connections for writes. They lead to the replica if there is one. */
  readonly scrapes: Knex;
  /**
   * For roll-ups and the history, so that a costly query delays neither writes nor scrapes. They lead to the replica if
   * there is one.
   */
  readonly reads: Knex;
  /**
   * For the lists of scores and problems, and for current names. They always lead to the primary, so that an
   * acknowledged submission is in the next list of every instance. Without a replica they are the connections of `reads`.
   */
  readonly lists: Knex;
  /** For decisions such as waivers, so that many of them leave the connections for writes to submissions. */
  readonly decisions: Knex;
  /** For the outbox of notifications, whose statements may wait for locks. */
  readonly notifications: Knex;
  /**
   * For moves, retirement, rules, replay, the daily work, migrations, export and import. Migrations, export, import and
   * the writing of a day lift the time limit of their statements.
   */
  readonly background: Knex;
  /**
   * Says within 1.5 s whether the database answers and lets reports write their tables, on a connection of its own, so that load is not
   * taken for an outage.
   */
  answers(): Promise<boolean>;
  /** Says whether a connection for scrapes may read their tables; false while all of them are in use. */
  scrapesAnswer(): Promise<boolean>;
  /** Measures how far the replica is behind, as `createLagMeter` says; absent without a replica. */
  readonly replicaLag?: () => Promise<Lag | undefined>;
  close(): Promise<void>;
}

/** The database without its replica, which may be behind, for reading what decides about a write. */
export function primaryOf({ replicaLag: _, ...database }: Database): Database {
  return { ...database, reads: database.background, lists: database.background };
}

/**
 * Opens the database; connections are made on first use.
 *
 * @param url as `Config.databaseUrl`
 * @param poolMax largest number of connections for writes. Reads have four more, scrapes, decisions, notifications and the
 * background two each, health checks one.
 * @param readUrl of a streaming replica of a PostgreSQL, for scrapes, roll-ups and history. The primary then has four
 * connections for lists, and the replica one for health checks. Reads are refused on a connection that leads to another
 * database, or to a replica that was promoted.
 * @throws DirectoryError if the directory of the embedded database cannot be used, or another process uses it
 */
export function openDatabase(url: string, poolMax: number, readUrl?: string): Database {
  return url.startsWith("pglite:") ? openEmbedded(url.slice("pglite:".length)) : openPostgres(url, poolMax, readUrl);
}

function openPostgres(url: string, poolMax: number, readUrl: string | undefined): Database {
  const pools: Knex[] = [];
  const connect = (
    name: string,
    { to = url, min = 0, max, connectMs, silenceMs, settings, proof, pipeline = false }: PoolOptions,
  ): Knex => {
    const pool = knex({
      client: "pg",
      connection: {
        connectionString: withAppliedMode(to),
        application_name: name,
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        pipeline,
      },
      pool: {
        min,
        max,
        // Before each use. A connection for which this is false is closed, and another made.
        ...(proof && { validate: proof.holds }),
        // By a statement, because pgbouncer refuses connections that ask for these settings when they open.
        afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
          if (silenceMs !== undefined) endWhenSilent(connection, silenceMs);
          const begin = async () => {
            await connection.query(`${sessionSettings}; ${settings}`);
            await proof?.prove(connection);
          };
          begin().then(
            () => done(null, connection),
            (error) => {
              connection.end().catch(() => {}); // the pool forgets it
              done(error, connection);
            },
          );
        },
      },
      acquireConnectionTimeout: connectMs,
      log: quiet,
    } as Knex.Config);
    noteErrors(pool, to === url ? "DATABASE_URL" : "DATABASE_READ_URL", to);
    pools.push(pool);
    return pool;
  };
  const limited = `SET statement_timeout = ${statementLimitMs}; SET lock_timeout = ${lockLimitMs};
    SET idle_in_transaction_session_timeout = ${idleLimitMs}`;
  const patient = `SET statement_timeout = ${longPatienceMs}`;
  const short = { connectMs: connectLimitMs, silenceMs: silenceLimitMs, settings: limited };
  const long = { max: 2, connectMs: patienceMs, settings: patient };
  const writes = connect("maturity-service", { ...short, max: poolMax, pipeline: true });
  const decisions = connect("maturity-service decisions", { ...short, max: 2 });
  const health = connect("maturity-service health", { ...short, min: 1, max: 1 });
  const toReads = { to: readUrl, ...(readUrl !== undefined && { proof: createProof(health) }) };
  const scrapes = connect("maturity-service scrape", {
    ...{ ...toReads, ...long, silenceMs: scrapeSilenceLimitMs },
    settings: `${patient}; SET lock_timeout = ${scrapeLockLimitMs}`,
  });
  const read = {
    ...{ max: 4, connectMs: patienceMs, silenceMs: readLimitMs + silenceLimitMs },
    settings: `SET statement_timeout = ${readLimitMs}; SET lock_timeout = ${lockLimitMs}`,
  };
  const reads = connect("maturity-service read", { ...toReads, ...read });
  const lists = readUrl === undefined ? reads : connect("maturity-service read", read);
  const replica = readUrl && connect("maturity-service health", { ...short, ...toReads, max: 1 });
  const notifications = connect("maturity-service notifications", {
    ...long,
    silenceMs: longPatienceMs + silenceLimitMs,
    settings: `${patient}; SET idle_in_transaction_session_timeout = ${alertsIdleLimitMs}`,
  });
  const background = connect("maturity-service background", long);
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
  };
  return {
    ...{ engine: "postgres", knex: writes, decisions, scrapes, reads, lists, notifications, background, close },
    answers: createHealthCheck(health, "writes"),
    scrapesAnswer: createHealthCheck(scrapes, "scrapes"),
    ...(replica && { replicaLag: createLagMeter(health, replica) }),
  };
}

interface PoolOptions {
  /** The URL of the database; the primary if absent. */
  readonly to?: string | undefined;
  readonly min?: number;
  readonly max: number;
  readonly connectMs: number;
  /** Time limit of silence, in milliseconds; no limit if absent. */
  readonly silenceMs?: number;
  /** SQL to run on each new connection. */
  readonly settings: string;
  /** That connections lead to the primary or a replica of it. */
  readonly proof?: Proof;
  /** Whether statements are sent without waiting for the previous answer. */
  readonly pipeline?: boolean;
}

function openEmbedded(directory: string): Database {
  if (directory === ":memory:") return openPGlite({ filename: "memory://" });
  const unlock = lockDirectory(directory);
  return openPGlite({ filename: directory }, unlock);
}

/**
 * Opens an embedded database.
 *
 * @param connection the directory of its files, `memory://`, or a database that runs
 * @param closed called once it is closed
 */
export function openPGlite(
  connection: { readonly filename: string } | { readonly pglite: PGlite },
  closed: () => void = () => {},
): Database {
  const embedded = knex({ client: EmbeddedClient, connection, log: quiet } as Knex.Config);
  const close = async () => {
    await embedded.destroy();
    closed();
  };
  const answers = createHealthCheck(embedded);
  const shared = {
    knex: embedded,
    decisions: embedded,
    scrapes: embedded,
    reads: embedded,
    lists: embedded,
    notifications: embedded,
    background: embedded,
    answers,
    scrapesAnswer: answers,
  };
  return { engine: "pglite", ...shared, close };
}
