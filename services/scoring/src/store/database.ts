import knex, { type Knex } from "knex";
import type pg from "pg";
import { endWhenSilent } from "./connection.ts";
import { lockDirectory } from "./directory-lock.ts";
import { EmbeddedClient } from "./embedded-client.ts";
import { createHealthCheck } from "./health-check.ts";
import { commitLimitMs, connectLimitMs, idleLimitMs, patienceMs } from "./patience.ts";
import { createLagMeter, type Lag } from "./replica-lag.ts";
import { createProof } from "./same-database.ts";
import { sessionSettings } from "./session-settings.ts";

/**
 * Time limit of a statement that writes, in milliseconds; the database enforces it. It leaves time to try a failed
 * statement again before the caller gives up.
 */
const statementLimitMs = commitLimitMs;

/**
 * A connection that is silent for this long while a write waits for its answer is closed, in milliseconds. Its other
 * end may be gone without notice, as after a failover; the operating system would find out after a quarter of an hour.
 */
const silenceLimitMs = patienceMs - 1_000;

/** How long a statement of a read or a command waits for a lock, in milliseconds. Writes set their own limit. */
const lockLimitMs = 500;

/**
 * Time limit of a statement of a scrape or in the background, in milliseconds. It is longer than any scrape timeout in
 * use.
 */
const longPatienceMs = 60_000;

/**
 * The database ends a transaction of the alert queue that waits for its next statement for this long, in milliseconds, so
 * that its rows are free.
 */
const alertsIdleLimitMs = 5_000;

/**
 * A connection of a scrape that is silent for this long is closed, in milliseconds. From the first row on, the database
 * sends all the time.
 */
const scrapeSilenceLimitMs = 5_000;

/** Time limit of a statement of the read API, in milliseconds. */
const readLimitMs = 15_000;

/** Keeps knex from writing connection errors to the console. The caller gets them too, and logs them. */
const quiet = { debug() {}, deprecate() {}, warn() {}, error() {} };

/** The database and its connection pools. */
export interface Database {
  readonly engine: "postgres" | "pglite";
  /** For writes and short reads. */
  readonly knex: Knex;
  /**
   * For scrapes, so that slow ones do not use up the connections for writes. The embedded database has only one
   * connection. They lead to the replica if there is one.
   */
  readonly scrapes: Knex;
  /**
   * For roll-ups and the past, so that a costly query keeps neither writes nor scrapes waiting. They lead to the replica if
   * there is one.
   */
  readonly reads: Knex;
  /**
   * For the lists of scores and problems. They always lead to the primary: what was acknowledged is in the next list, at
   * whatever instance, and a replica would have it later. Without a replica they are the connections of `reads`.
   */
  readonly lists: Knex;
  /** For what people decide, such as waivers, so that a crowd of them leaves the connections for writes to reports. */
  readonly decisions: Knex;
  /** For the alert queue, whose statements may wait for locks. */
  readonly alerts: Knex;
  /**
   * For moves, retirement, rules, replay, the daily work, migrations, export and import. The last three and the writing of a
   * day lift the time limit of their statements.
   */
  readonly background: Knex;
  /**
   * Says whether the database answers within 1.5 s. It has its own connection, so that load is not mistaken for an
   * outage.
   */
  answers(): Promise<boolean>;
  /** Says whether a connection for scrapes answers. It is false while all of them are in use. */
  scrapesAnswer(): Promise<boolean>;
  /** Measures how far the replica is behind, as `createLagMeter` says; absent without a replica. */
  readonly replicaLag?: () => Promise<Lag | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the database; connections are made when they are first used.
 *
 * @param url as `Config.databaseUrl`
 * @param poolMax largest number of connections for writes. Reads have four more, scrapes, decisions, alerts and the
 * background two each, health checks one.
 * @param readUrl of a streaming replica of a PostgreSQL, for scrapes, roll-ups and the past. The primary then has four
 * connections for lists, and the replica one for health checks. Each of its connections proves first that it leads to the
 * same database, or reads are refused.
 * @throws DirectoryError if the directory of the embedded database cannot be used, or another process uses it
 */
export function openDatabase(url: string, poolMax: number, readUrl?: string): Database {
  return url.startsWith("pglite:") ? openEmbedded(url.slice("pglite:".length)) : openPostgres(url, poolMax, readUrl);
}

function openPostgres(url: string, poolMax: number, readUrl: string | undefined): Database {
  const connect = (
    name: string,
    { to = url, min = 0, max, connectMs, silenceMs, settings, prove, pipeline = false }: PoolOptions,
  ): Knex =>
    knex({
      client: "pg",
      connection: {
        connectionString: to,
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
          const begin = async () => {
            await connection.query(`${sessionSettings}; ${settings}`);
            await prove?.(connection);
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
  const limited = `SET statement_timeout = ${statementLimitMs}; SET lock_timeout = ${lockLimitMs};
    SET idle_in_transaction_session_timeout = ${idleLimitMs}`;
  const patient = `SET statement_timeout = ${longPatienceMs}`;
  const short = { connectMs: connectLimitMs, silenceMs: silenceLimitMs, settings: limited };
  const long = { max: 2, connectMs: patienceMs, settings: patient };
  const writes = connect("maturity-service", { ...short, max: poolMax, pipeline: true });
  const decisions = connect("maturity-service decisions", { ...short, max: 2 });
  const health = connect("maturity-service health", { ...short, min: 1, max: 1 });
  const toReads = { to: readUrl, ...(readUrl !== undefined && { prove: createProof(health) }) };
  const scrapes = connect("maturity-service scrape", { ...toReads, ...long, silenceMs: scrapeSilenceLimitMs });
  const read = {
    ...{ max: 4, connectMs: patienceMs, silenceMs: readLimitMs + silenceLimitMs },
    settings: `SET statement_timeout = ${readLimitMs}; SET lock_timeout = ${lockLimitMs}`,
  };
  const reads = connect("maturity-service read", { ...toReads, ...read });
  const lists = readUrl === undefined ? reads : connect("maturity-service read", read);
  const replica = readUrl && connect("maturity-service health", { ...short, ...toReads, max: 1 });
  const alerts = connect("maturity-service alerts", {
    ...long,
    silenceMs: longPatienceMs + silenceLimitMs,
    settings: `${patient}; SET idle_in_transaction_session_timeout = ${alertsIdleLimitMs}`,
  });
  const background = connect("maturity-service background", long);
  const close = async () => {
    const pools = new Set([
      writes,
      decisions,
      scrapes,
      reads,
      lists,
      alerts,
      background,
      health,
      ...(replica ? [replica] : []),
    ]);
    await Promise.all([...pools].map((pool) => pool.destroy()));
  };
  return {
    ...{ engine: "postgres", knex: writes, decisions, scrapes, reads, lists, alerts, background, close },
    answers: createHealthCheck(health),
    scrapesAnswer: createHealthCheck(scrapes),
    ...(replica && { replicaLag: createLagMeter(health, replica) }),
  };
}

interface PoolOptions {
  /** The address; the primary if absent. */
  readonly to?: string | undefined;
  readonly min?: number;
  readonly max: number;
  readonly connectMs: number;
  /** Time limit of silence, in milliseconds; no limit if absent. */
  readonly silenceMs?: number;
  /** SQL that is run on each new connection. */
  readonly settings: string;
  /** Throws if a new connection does not lead where it should. */
  prove?(connection: pg.Client): Promise<void>;
  /** Are statements sent without waiting for the previous answer? */
  readonly pipeline?: boolean;
}

function openEmbedded(directory: string): Database {
  const inMemory = directory === ":memory:";
  const unlock = inMemory ? () => {} : lockDirectory(directory);
  const embedded = knex({
    client: EmbeddedClient,
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
    decisions: embedded,
    scrapes: embedded,
    reads: embedded,
    lists: embedded,
    alerts: embedded,
    background: embedded,
    answers,
    scrapesAnswer: answers,
  };
  return { engine: "pglite", ...shared, close };
}
