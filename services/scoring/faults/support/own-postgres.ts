import { chown, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { dataDirectory, embeddedPostgres } from "../../test/support/embedded-postgres.ts";
import { addressOf, freePort, query, withDatabase } from "../../test/support/postgres.ts";

/** A PostgreSQL of one test that writes through to the disk (fsync), so that it may be stopped at any moment. */
export interface OwnPostgres {
  /** Of an empty database. */
  readonly url: string;
  /** Stops it in immediate mode: nothing is finished or written out, as in a crash. */
  stopHard(): Promise<void>;
  /** Starts it, or waits while it starts again by itself, until it takes connections. */
  start(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** A directory for the write-ahead log; by default within that of the data. Each of its files is a new one of 1 MiB. */
  readonly log?: string;
  /** A directory for the tables of the database; by default within that of the data. */
  readonly tables?: string;
}

/** Starts PostgreSQL with a data directory of its own, for one test. */
export async function useOwnPostgres({ log, tables }: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const directory = dataDirectory();
  let postmaster: number | undefined;
  onTestFinished(async () => {
    if (isRunning(postmaster)) await stopHard();
    await rm(directory, { recursive: true, force: true });
  });
  const port = await freePort();
  const data = join(directory, "data");
  const server = await embeddedPostgres(directory, port, {
    initdb: log ? [`--waldir=${join(log, "log")}`, "--wal-segsize=1"] : [],
    postgres: log ? ["-c", "min_wal_size=2MB", "-c", "max_wal_size=8MB", "-c", "wal_recycle=off"] : [],
  });
  await server.initialise();
  const tablespace = tables && join(tables, "tables");
  if (tablespace) {
    const { uid, gid } = await stat(data);
    await mkdir(tablespace);
    await chown(tablespace, uid, gid);
  }
  await server.start();
  postmaster = await readPostmaster(data);
  const admin = addressOf(port);
  if (tablespace) await query(admin, `CREATE TABLESPACE small LOCATION '${tablespace}'`);
  await query(admin, `CREATE DATABASE maturity${tablespace ? " TABLESPACE small" : ""}`);

  async function stopHard(): Promise<void> {
    if (postmaster !== undefined) process.kill(postmaster, "SIGQUIT");
    await vi.waitUntil(() => !isRunning(postmaster), { timeout: 30_000, interval: 10 });
  }

  return {
    url: withDatabase(admin, "maturity"),
    stopHard,
    async start() {
      const takesConnections = () => query(admin, "SELECT 1").catch(() => undefined);
      await vi.waitUntil(async () => !isRunning(postmaster) || (await takesConnections()), { timeout: 30_000 });
      if (isRunning(postmaster)) return;
      await server.start();
      postmaster = await readPostmaster(data);
    },
  };
}

/** The id of the main process of the server: the first line of the file that it keeps while it runs. */
async function readPostmaster(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, "postmaster.pid"), "utf8"), 10);
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
