import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../src/store/database.ts";
import { brokenStores } from "./support/broken-store.ts";
import { makeKnown } from "./support/known-names.ts";
import { query } from "./support/postgres.ts";
import { type Answer, expectRefusal, post, put, rows } from "./support/requests.ts";
import { type TestService, until, useService } from "./support/service.ts";

const key = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const score = { ...key, scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
const problem = { ...key, problem_type: "terraform_secret", severity: "high", count: 1 };

const waiver = { ...key, kind: "not_applicable", scorecard: "reliability", reason: "a library", owner: "ann" };

const readings = [
  ...[
    "/areas",
    "/teams",
    "/apps",
    "/registry",
    "/former-names",
    "/scores",
    "/problems",
    "/levels",
    "/metric-averages",
    "/problem-times",
    "/problem-weeks",
    "/changes",
    "/change-totals",
    "/waivers",
    "/audit",
  ],
  `/history?${new URLSearchParams({ area: key.area, env: key.env })}`,
  `/history?${new URLSearchParams({ ...key, changes: "true" })}`,
  `/history?${new URLSearchParams({ ...key, scorecard: score.scorecard, metric: score.metric })}`,
];

const unavailable = { status: 503, code: "store-unavailable", message: /nothing is acknowledged/ };

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, unavailable);
  expect(answer.headers["retry-after"]).toBe("5");
}

describe.each(Object.keys(brokenStores))("with %s", (how) => {
  test("POST /score asks to try again", async () => {
    expectUnavailable(await post(await broken(how), "/score", score));
  });

  test("POST /problem/scan-result asks to try again", async () => {
    expectUnavailable(await post(await broken(how), "/problem/scan-result", problem));
  });

  test("PUT /registry asks to try again", async () => {
    expectUnavailable(await put(await broken(how), "/registry", { area: "shop", team: "checkout", app: "cart" }));
  });

  test("applications are neither moved nor retired nor restored", async () => {
    const service = await broken(how);
    const { env: _, ...app } = key;
    const to = { ...app, app: "basket" };
    expectUnavailable(await post(service, "/apps/move", { from: app, to }));
    expectUnavailable(await post(service, "/apps/retire", { ...app, reason: "gone" }));
    expectUnavailable(await post(service, "/apps/restore", app));
  });

  test("waivers are neither made, decided nor revoked", async () => {
    const service = await broken(how);
    expectUnavailable(await post(service, "/waivers", waiver));
    const url = "/waivers/00000000-0000-4000-8000-000000000000";
    for (const verb of ["approve", "reject", "withdraw"]) {
      expectUnavailable(await post(service, `${url}/${verb}`, { comment: "none" }));
    }
    const { statusCode, headers, payload } = await service.server.inject({ method: "DELETE", url });
    expectUnavailable({ status: statusCode, headers, body: JSON.parse(payload) });
  });

  test("reads ask to try again", async () => {
    const { server } = await broken(how);
    for (const url of ["/metrics", ...readings]) {
      for (const accept of ["*/*", "text/csv", "application/x-ndjson"]) {
        const { statusCode, headers, payload } = await server.inject({ url, headers: { accept } });
        expectUnavailable({ status: statusCode, headers, body: JSON.parse(payload) });
      }
    }
  });

  test("what needs no database is answered", async () => {
    const { server } = await broken(how);
    for (const url of ["/scorecards", "/whoami"]) expect((await server.inject(url)).statusCode, url).toBe(200);
  });

  test("a query that is wrong is still said so", async () => {
    const { server } = await broken(how);
    for (const url of ["/metrics", ...readings]) {
      const { statusCode, payload } = await server.inject(`${url}${url.includes("?") ? "&" : "?"}nope=1`);
      expectRefusal({ status: statusCode, headers: {}, body: JSON.parse(payload) }, { paths: ["nope"] });
    }
  });

  test("a body that is wrong is still said so", async () => {
    expectRefusal(await post(await broken(how), "/score", {}), {
      paths: ["area", "team", "app", "env", "scorecard", "metric", "raw"],
    });
  });
});

function broken(how: string) {
  const make = brokenStores[how];
  if (!make) throw new Error(`there is no ${how}`);
  return make();
}

/** Keeps everybody else from these tables until `release`. */
async function lock({ databaseUrl }: TestService, tables: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  return {
    async release() {
      await client.query("ROLLBACK");
    },
  };
}

/** How many statements of the service wait for a lock. */
async function waiting({ database }: TestService): Promise<number> {
  const { rows } = await database.scrapes.raw(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'maturity-service'`,
  );
  return rows[0].waiting;
}

/** How many transactions of decisions are under way. */
async function deciding({ databaseUrl }: TestService): Promise<number> {
  const { rows } = await query(
    databaseUrl,
    `SELECT count(*)::int AS deciding FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'maturity-service decisions' AND xact_start IS NOT NULL`,
  );
  return rows[0]?.deciding;
}

describe("with a database that is too slow", () => {
  test("writes ask to try again, and what was not acknowledged is not stored later", async () => {
    const service = await useService();
    const { release } = await lock(service, "scores, problems");
    const answers = await Promise.all([post(service, "/score", score), post(service, "/problem/scan-result", problem)]);
    for (const answer of answers) expectUnavailable(answer);
    await until(async () => (await waiting(service)) === 0);
    await release();
    expect(await rows(service, "scores")).toEqual([]);
    expect(await rows(service, "problems")).toEqual([]);
    expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
    expect(await post(service, "/problem/scan-result", problem)).toMatchObject({ status: 200 });
  });

  test("what is decided is not stored later either", async () => {
    const service = await useService();
    await makeKnown(service, waiver);
    const { env: _, ...app } = { ...key, app: "basket" };
    // Each statement keeps its limit, and together they last longer than the caller is kept waiting.
    await query(
      service.databaseUrl,
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2.7); RETURN NEW; END'`,
    );
    const tables = ["waivers", "applications", "audit"];
    const storedNow = () =>
      Promise.all(tables.map(async (table) => (await query(service.databaseUrl, `SELECT * FROM ${table}`)).rows));
    const before = await storedNow();
    for (const table of tables)
      await query(
        service.databaseUrl,
        `CREATE TRIGGER linger BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION linger()`,
      );
    const answers = await Promise.all([post(service, "/waivers", waiver), put(service, "/registry", app)]);
    for (const answer of answers) expectUnavailable(answer);
    await until(async () => (await deciding(service)) === 0);
    expect(await storedNow()).toEqual(before);
    await query(service.databaseUrl, "DROP FUNCTION linger CASCADE");
    expect(await post(service, "/waivers", waiver)).toMatchObject({ status: 201 });
    expect(await put(service, "/registry", app)).toMatchObject({ status: 200 });
  });

  test("a move is answered, though its commit is not", async () => {
    const service = await useService();
    expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
    await query(
      service.databaseUrl,
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(20); RETURN NULL; END';
       CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION linger()`,
    );
    const { area, team, app } = key;
    const started = performance.now();
    expectUnavailable(
      await post(service, "/apps/move", { from: { area, team, app }, to: { area, team, app: "basket" } }),
    );
    expect(performance.now() - started).toBeLessThan(8_000);
    await query(
      service.databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'maturity-service background'`,
    );
  });
});

test.each([
  ["with a feature that the database does not have", "CREATE RULE none AS ON INSERT TO scores DO ALSO SELECT 1"],
  ["on a database that may only be read", "ALTER DATABASE current SET default_transaction_read_only = on"],
])("a statement %s is a fault of the service, and no outage", async (_, statement) => {
  const service = await useService();
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await query(service.databaseUrl, statement.replace("current", name));
  expectRefusal(await post(service, "/score", score), { status: 500, code: "internal" });
});

test("a write gives up a locked row soon, the background does not", async () => {
  const { database } = await useService();
  const limit = async (pool: Database["knex"]) => (await pool.raw("SHOW lock_timeout")).rows[0].lock_timeout;
  expect(await limit(database.knex)).toBe("500ms");
  for (const patient of [database.notifications, database.background]) expect(await limit(patient)).toBe("0");
});

test("a scrape that meets a locked table leaves no statement waiting for it", async () => {
  const service = await useService();
  const holder = await service.database.background.transaction();
  onTestFinished(async () => void (await holder.rollback()));
  await holder.raw("LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
  const { statusCode, payload } = await service.server.inject("/metrics");
  expect({ statusCode, ...JSON.parse(payload) }).toMatchObject({ statusCode: 503, code: "store-unavailable" });
  const waiting = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  expect((await query(service.databaseUrl, waiting)).rows).toEqual([]);
});

test("the alert queue has connections of its own", async () => {
  const { databaseUrl } = await useService({ chat: { token: "xoxb-1", apiUrl: "http://127.0.0.1:9" } });
  const blocker = new pg.Client({ connectionString: databaseUrl });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  await blocker.query("BEGIN; LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE");
  const held = async () => {
    const { rows } = await query(
      databaseUrl,
      `SELECT DISTINCT application_name FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%notifications%'`,
    );
    return rows.map((row) => row.application_name);
  };
  await until(async () => (await held()).length > 0);
  expect(await held()).toEqual(["maturity-service notifications"]);
});
