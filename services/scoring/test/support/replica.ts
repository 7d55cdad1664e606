import { execFileSync } from "node:child_process";
import { appendFile, chown, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { dataDirectory, embeddedPostgres } from "./embedded-postgres.ts";
import { addressOf, freePort, query, withDatabase } from "./postgres.ts";

/** A PostgreSQL and a streaming replica of it. */
export interface Replicated {
  /** Of an empty database on the primary. */
  readonly url: string;
  /** Of the same database on the replica. */
  readonly replicaUrl: string;
  readonly primaryPid: number;
  replicaPid(): number;
  stopReplica(): Promise<void>;
  /** Returns when the replica answers. */
  startReplica(): Promise<void>;
  /** Waits until the replica has replayed everything that the primary did before. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL, copies it while it runs as pg_basebackup does (which belongs to no package of the registry), and
 * starts the copy as its streaming replica.
 *
 * @param flags of the primary; the replica has them too, and those of its own
 */
export async function startReplicated(
  flags: readonly string[] = ["-c", "fsync=off"],
  replicaFlags: readonly string[] = [],
): Promise<Replicated> {
  const directories = { primary: dataDirectory(), replica: dataDirectory() };
  const ports = { primary: await freePort(), replica: await freePort() };
  const primary = await embeddedPostgres(directories.primary, ports.primary, { postgres: flags });
  await primary.initialise();
  await primary.start();
  const admin = addressOf(ports.primary);
  await query(admin, "CREATE DATABASE maturity");
  const data = { primary: join(directories.primary, "data"), replica: join(directories.replica, "data") };
  await copyRunning(admin, data.primary, data.replica);
  await writeFile(join(data.replica, "standby.signal"), "");
  await appendFile(
    join(data.replica, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${ports.primary} user=postgres password=postgres'\n`,
  );
  const replica = await embeddedPostgres(directories.replica, ports.replica, { postgres: [...flags, ...replicaFlags] });
  const replicaAdmin = addressOf(ports.replica);
  let running: number | undefined;

  async function startReplica(): Promise<void> {
    let ended = false;
    replica.start().catch(() => {
      ended = true; // it waits for a message that a replica never writes, until the server ends
    });
    while (!(await query(replicaAdmin, "SELECT 1").catch(() => undefined))) {
      if (ended) throw new Error("the replica ended before it answered");
      await pause(10);
    }
    running = await postmasterOf(data.replica);
  }

  async function stopReplica(): Promise<void> {
    if (running === undefined) return;
    process.kill(running, "SIGINT");
    while (isRunning(running)) await pause(10);
    running = undefined;
  }

  await startReplica();
  return {
    url: withDatabase(admin, "maturity"),
    replicaUrl: withDatabase(replicaAdmin, "maturity"),
    primaryPid: await postmasterOf(data.primary),
    replicaPid: () => running ?? 0,
    stopReplica,
    startReplica,
    async caughtUp() {
      // Without a commit behind it, what a VACUUM logged would not be sent yet.
      await query(admin, "SELECT pg_logical_emit_message(true, 'test', 'all before is sent')");
      const { rows } = await query(admin, "SELECT pg_current_wal_lsn()::text AS position");
      const replayed = "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done";
      while (!(await query(replicaAdmin, replayed, [rows[0].position])).rows[0].done) await pause(10);
    },
    async stop() {
      await stopReplica();
      await primary.stop();
      for (const directory of Object.values(directories)) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A base backup by the functions that pg_basebackup calls. The backup ends in the session in which it begins. */
async function copyRunning(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('replica', fast => true)");
  execFileSync("cp", ["-a", from, to]);
  await Promise.all(["postmaster.pid", "postmaster.opts"].map((file) => rm(join(to, file))));
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)");
  const label = join(to, "backup_label");
  await writeFile(label, rows[0].labelfile);
  const { uid, gid } = await stat(to);
  await chown(label, uid, gid); // where root starts it, the server runs as another user
  await client.end();
}

async function postmasterOf(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, "postmaster.pid"), "utf8"), 10);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
