import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase, openPGlite } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { dataDirectory, embeddedPostgres } from "./embedded-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a PostgreSQL in which the tests may create databases; `maturity_template` is migrated. */
    postgresUrl: string;
    /** The file of a migrated embedded database. */
    pgliteTemplate: string;
  }
}

/**
 * Before the tests of a project: a PostgreSQL of their own, or that of TEST_DATABASE_URL, the database they clone, and an
 * embedded one that they load. What another project of the run has set up serves this one too.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.getProvidedContext().postgresUrl !== undefined) return;
  const { url, stop } = await postgres();
  await query(url, `DROP DATABASE IF EXISTS maturity_template WITH (FORCE)`);
  await query(url, `CREATE DATABASE maturity_template`);
  const database = openDatabase(withDatabase(url, "maturity_template"), 1);
  await migrate(database);
  await database.close();
  project.vitest.provide("postgresUrl", url);
  const directory = mkdtempSync(join(tmpdir(), "maturity-pglite-"));
  project.vitest.provide("pgliteTemplate", await writeTemplate(directory));
  return async () => {
    await rm(directory, { recursive: true, force: true });
    await stop();
  };
}

/**
 * To load an embedded database takes a fifth of the time of creating it, and less where it was shut down and has few bytes
 * and files: no databases that nobody opens, and a short write-ahead log.
 */
async function writeTemplate(directory: string): Promise<string> {
  const dataDir = join(directory, "data");
  const pglite = new PGlite({ dataDir, initDbStartParams: ["--wal-segsize=1"] });
  const database = openPGlite({ pglite });
  await migrate(database);
  await pglite.exec("UPDATE pg_database SET datistemplate = false");
  for (const name of ["template0", "template1"]) await pglite.exec(`DROP DATABASE ${name}`);
  await database.close();
  const template = join(directory, "template.tar");
  await promisify(execFile)("tar", ["-cf", template, "-C", dataDir, "."]);
  await rm(dataDir, { recursive: true });
  return template;
}

async function postgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const directory = dataDirectory();
  const port = await freePort();
  // The tests stop no machine; a crash of it may cost them their data.
  const postgres = ["-c", "fsync=off", "-c", "max_connections=300"];
  const server = await embeddedPostgres(directory, port, { postgres });
  await server.initialise();
  await server.start();
  return {
    url: addressOf(port),
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Of an embedded PostgreSQL. */
export function addressOf(port: number): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** The address of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // a server that stops breaks it off between two calls too; a call under way rejects
  await client.connect();
  try {
    return await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}

/**
 * A port that nobody uses, below those that systems give to outgoing connections: one of these could take it before the
 * server that it is for, or while that is restarted.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
