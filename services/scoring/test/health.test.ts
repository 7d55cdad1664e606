import { server as createServer } from "@hapi/hapi";
import { describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { series } from "../src/exposition/series.ts";
import type { Snapshots } from "../src/exposition/snapshots.ts";
import { healthRoutes } from "../src/http/health.ts";
import type { Database } from "../src/store/database.ts";
import { createHealthCheck } from "../src/store/health-check.ts";
import { brokenStores } from "./support/broken-store.ts";
import { useDatabase } from "./support/empty-database.ts";
import { query } from "./support/postgres.ts";
import type { Server } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, until, useService } from "./support/service.ts";

const ok = { status: 200, body: '{"status":"ok"}', type: "application/json; charset=utf-8" };
const lives = { ...ok, body: `{"status":"ok","version":"${packageJson.version}"}` };
const unavailable = { ...ok, status: 503, body: '{"status":"unavailable"}' };

async function get({ server }: Server, url: string): Promise<typeof ok> {
  const { statusCode, payload, headers } = await server.inject(url);
  return { status: statusCode, body: payload, type: String(headers["content-type"]) };
}

test.each(engines)("/healthz and /livez say ok while the database answers: %s", async (kind) => {
  const service = await useService({ databaseUrl: await createDatabase(kind) });
  expect(await get(service, "/healthz")).toEqual(ok);
  expect(await get(service, "/livez")).toEqual(lives);
});

test("load is no outage: with every connection for writes taken, /healthz says ok", async () => {
  const service = await useService();
  const { client } = service.database.knex;
  const taken = await Promise.all(Array.from({ length: client.pool.max }, () => client.acquireConnection()));
  expect(await get(service, "/healthz")).toEqual(ok);
  for (const connection of taken) await client.releaseConnection(connection);
});

test("/healthz says unavailable while no scrape could have a connection, unless one gets on", async () => {
  const service = await useService();
  const { client } = service.database.scrapes;
  const taken = await Promise.all(Array.from({ length: client.pool.max }, () => client.acquireConnection()));
  expect(await get(service, "/healthz")).toEqual(unavailable);
  const moving = useServer(service, { take: () => Promise.reject(new Error("nobody asks")), moving: () => true });
  expect(await get(moving, "/healthz")).toEqual(ok);
  for (const connection of taken) await client.releaseConnection(connection);
  expect(await get(service, "/healthz")).toEqual(ok);
});

test("a scrape that gets on is no outage of an embedded database, though it has the only connection", async () => {
  const service = await useService({ databaseUrl: await createDatabase("pglite") });
  const { client } = service.database.knex;
  const connection = await client.acquireConnection();
  const moving = useServer(service, { take: () => Promise.reject(new Error("nobody asks")), moving: () => true });
  expect(await get(moving, "/healthz")).toEqual(ok);
  await client.releaseConnection(connection);
});

test("/healthz says unavailable while the database takes no writes", async () => {
  const service = await useService();
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await query(service.databaseUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await get(service, "/healthz")).toEqual(unavailable);
  await query(
    service.databaseUrl,
    `BEGIN READ WRITE;
     ALTER DATABASE ${name} RESET default_transaction_read_only;
     SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'maturity-service health';
     COMMIT`,
  );
  await until(async () => (await get(service, "/healthz")).status === 200);
});

test.each(["ACCESS EXCLUSIVE", "SHARE"])("/healthz says unavailable while scores are locked: %s", async (mode) => {
  const service = await useService();
  expect(await get(service, "/healthz")).toEqual(ok);
  const holder = await service.database.background.transaction();
  onTestFinished(async () => void (await holder.rollback()));
  await holder.raw(`LOCK TABLE scores IN ${mode} MODE`);
  expect(await get(service, "/healthz")).toEqual(unavailable);
  await holder.rollback();
  await until(async () => (await get(service, "/healthz")).status === 200);
});

test("the health check meets the locks of every table that a scrape reads", async () => {
  const { database } = await useService();
  const asked: string[] = [];
  database.scrapes.on("query", ({ sql }) => asked.push(sql));
  await database.scrapesAnswer();
  const rules = { scorecards: shippedEngine.scorecards, applies: [] };
  const read = await locksOf(
    database,
    series.map(({ select }) => select(rules, {})),
  );
  expect(read).toContain("scores AccessShareLock");
  expect(await locksOf(database, asked)).toEqual(expect.arrayContaining(read));
});

/** The tables that these statements lock, and how. */
async function locksOf({ background }: Database, statements: readonly string[]): Promise<string[]> {
  const trx = await background.transaction();
  for (const statement of statements) await trx.raw(statement);
  const { rows } = await trx.raw(
    `SELECT relname || ' ' || mode AS lock FROM pg_locks JOIN pg_class ON pg_class.oid = relation
     WHERE pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  await trx.rollback();
  return rows.map(({ lock }: { lock: string }) => lock);
}

/** A server with the health checks of a service, and these snapshots. */
function useServer({ database }: TestService, snapshots: Snapshots): Server {
  const server = createServer();
  server.route(healthRoutes({ database, snapshots, stopping: new AbortController().signal }));
  return { server };
}

test("of many who ask at a time the database is asked once, and again by those who come later", async () => {
  const { knex } = useDatabase(await createDatabase("postgres"));
  const queries: string[] = [];
  knex.on("query", ({ sql }) => queries.push(sql));
  const answers = createHealthCheck(knex);
  expect(await Promise.all(Array.from({ length: 100 }, answers))).toEqual(Array(100).fill(true));
  expect(queries).toHaveLength(1);
  expect(await answers()).toBe(true);
  expect(queries).toHaveLength(2);
});

describe.each(Object.entries(brokenStores))("with %s", (_, broken) => {
  test("/healthz says unavailable, and /livez still ok", async () => {
    const service = await broken();
    expect(await get(service, "/healthz")).toEqual(unavailable);
    expect(await get(service, "/livez")).toEqual(lives);
  });

  test("HEAD shows the same by its status", async () => {
    const { server } = await broken();
    const head = async (url: string) => (await server.inject({ method: "HEAD", url })).statusCode;
    expect([await head("/healthz"), await head("/livez")]).toEqual([503, 200]);
  });
});
