import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { logReadiness } from "../src/commands/serve/readiness.ts";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { readableLog } from "./support/log.ts";
import { query, withDatabase } from "./support/postgres.ts";
import { startReplicated } from "./support/replica.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";

const paths = ["/metrics", "/apps", "/changes", "/search?q=cart"];

async function answers({ server }: TestService, asked: readonly string[] = paths) {
  const found = await Promise.all(asked.map((url) => server.inject(url)));
  return found.map(({ statusCode, payload }) => ({ status: statusCode, payload }));
}

async function expectRefused(service: TestService, reason: string, asked?: readonly string[]) {
  for (const { status, payload } of await answers(service, asked)) {
    expect({ status, payload }).toMatchObject({ status: 503, payload: expect.stringContaining(reason) });
    expect(payload).toContain("writes go on");
  }
  const health = await service.server.inject("/healthz");
  expect([health.statusCode, health.payload]).toEqual([200, '{"status":"ok","reads":"unavailable"}']);
  expect((await service.server.inject("/scores")).statusCode).toBe(200);
}

const allOk = paths.map(() => expect.objectContaining({ status: 200 }));

test("another database is not read from, and the log says so", async () => {
  const databaseUrl = await createDatabase("postgres");
  // A copy has the id of the schema too.
  const copy = await createDatabase("postgres");
  const [fresh, empty] = ["fresh", "empty"].map((name) =>
    withDatabase(databaseUrl, `${new URL(copy).pathname.slice(1)}_${name}`),
  ) as [string, string];
  for (const url of [fresh, empty]) await query(databaseUrl, `CREATE DATABASE ${new URL(url).pathname.slice(1)}`);
  const other = openDatabase(fresh, 1);
  await migrate(other);
  await other.close();
  for (const readUrl of [copy, fresh, empty]) {
    const log = readableLog();
    const service = await useService({ databaseUrl, readUrl, logger: log.logger });
    const { database } = service;
    await logReadiness({
      config: { auth: "none", host: "127.0.0.1" },
      oidc: undefined,
      settings: undefined,
      database,
      logger: log.logger,
    });
    const reason = expect.stringContaining("is another database");
    expect(log.from(0)).toContainEqual(
      expect.objectContaining({ level: 40, msg: "the replica is not in order", reason }),
    );
    await expectRefused(service, "is another database");
  }
});

test("the database itself is read from", async () => {
  const databaseUrl = await createDatabase("postgres");
  expect(await answers(await useService({ databaseUrl, readUrl: databaseUrl }))).toEqual(allOk);
});

test("a replica is read from, until it is promoted, though the connections to it stay open", async () => {
  const servers = await startReplicated();
  onTestFinished(() => servers.stop());
  const service = await useService({
    databaseUrl: servers.url,
    readUrl: servers.replicaUrl,
    logger: pino({ level: "silent" }),
  });
  await servers.caughtUp();
  expect(await answers(service)).toEqual(allOk);
  expect((await service.server.inject("/healthz")).payload).toBe('{"status":"ok"}');
  await query(servers.replicaUrl, "SELECT pg_promote()");
  const reason = "takes writes of its own";
  // Roll-ups are kept for some seconds.
  await until(async () => (await answers(service)).every(({ payload }) => payload.includes(reason)));
  await expectRefused(service, reason);
});
