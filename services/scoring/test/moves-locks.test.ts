import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import { query } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const other = { area: "shop", team: "search", app: "index" };

const score = (service: TestService, app: object, metric = "dast") =>
  post(service, "/score", {
    ...{ env: "prod", scorecard: "security", metric, ...app },
    raw: { critical: 0, high: 0, medium: 0 },
  });

const move = (service: TestService, from: object, to: object, headers?: Readonly<Record<string, string>>) =>
  post(service, "/apps/move", { from, to }, headers);

const merge = (service: TestService) => post(service, "/apps/move", { from: cart, to: basket, merge: true });

/** Begins a transaction of somebody else with this statement. */
async function hold({ databaseUrl }: TestService, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query(statement);
  return client;
}

test.each([
  ["an application that moves", "SELECT FROM applications WHERE app = 'cart' FOR UPDATE"],
  ["the recording of a day", "SELECT FROM roll_ups_until FOR UPDATE"],
  ["the names", "LOCK TABLE applications IN ROW EXCLUSIVE MODE"],
])(
  "while somebody else has locked %s a move changes nothing and says so, and reports of others go on",
  async (_, statement) => {
    const service = await useService();
    for (const app of [cart, other]) await score(service, app);
    const holder = await hold(service, statement);
    const moved = move(service, cart, basket);
    for (const metric of ["dast", "sast"]) expect(await score(service, other, metric)).toMatchObject({ status: 200 });
    expectRefusal(await moved, { status: 503, code: "store-unavailable", message: /locked .* nothing is changed/ });
    expect((await readPage(service, "/former-names")).items).toEqual([]);
    await holder.query("ROLLBACK");
    expect(await move(service, cart, basket)).toMatchObject({ status: 200 });
  },
);

describe.each(["scores", "problems"])("where two %s become one", (table) => {
  const value = table === "scores" ? "score" : "count";
  /** Two applications that have the same, that of `cart` with 10, that of `basket` with 20, both reported at one time. */
  const start = async () => {
    const service = await useService();
    for (const app of [cart, basket]) {
      await score(service, app);
      await report(service, app);
    }
    const set = `reported_at = '2026-01-01T00:00:00Z', ${value} = CASE app WHEN 'cart' THEN 10 ELSE 20 END`;
    await service.database.knex.raw(
      `UPDATE ${table} SET ${set} FROM targets JOIN applications ON applications.id = application_id WHERE targets.id = target_id`,
    );
    return service;
  };
  const stored = async ({ database }: TestService) => {
    const { rows } = await database.knex.raw(`SELECT app, ${value}::int AS value FROM ${table}_by_name`);
    return rows.map(({ app, value }: { app: string; value: number }) => [app, value]);
  };

  test("that of the new name counts if both are of one time", async () => {
    const service = await start();
    expect(await merge(service)).toMatchObject({ status: 200 });
    expect(await stored(service)).toEqual([["basket", 20]]);
  });

  test.each([cart, basket])(
    "what is stored of $app while the move waits for it counts, if it is the newest",
    async ({ app }) => {
      const service = await start();
      const holder = await hold(
        service,
        `UPDATE ${table} SET ${value} = 30, reported_at = '2026-01-02T00:00:00Z' WHERE target_id = (
           SELECT targets.id FROM targets JOIN applications ON applications.id = application_id WHERE app = '${app}'
         )`,
      );
      const moved = merge(service);
      await someoneWaits(service, holder);
      await holder.query("COMMIT");
      expect(await moved).toMatchObject({ status: 200 });
      expect(await stored(service)).toEqual([["basket", 30]]);
    },
  );
});

/** Waits until a transaction waits for a lock of this one. A lock of the service's own background work does not count. */
async function someoneWaits({ databaseUrl }: TestService, holder: pg.Client): Promise<void> {
  const { rows } = await holder.query("SELECT pg_backend_pid() AS pid");
  const waiting = `SELECT FROM pg_stat_activity WHERE ${rows[0].pid} = ANY (pg_blocking_pids(pid))`;
  await until(async () => (await query(databaseUrl, waiting)).rows.length > 0);
}

test("a report of what is new below a team waits for its move, and is stored under the new name", async () => {
  const service = await useService();
  await score(service, cart);
  // A move waits for this, and by then has locked the names.
  const holder = await hold(service, "SELECT FROM applications FOR UPDATE");
  const moved = move(service, { area: "shop", team: "checkout" }, { area: "shop", team: "till" });
  await someoneWaits(service, holder);
  const reports = [{ app: "new" }, { app: "cart", env: "test" }].map((of) => score(service, { ...cart, ...of }));
  await holder.query("COMMIT");
  expect(await moved).toMatchObject({ status: 200, body: { apps: 1 } });
  for (const [place, app] of ["new", "cart"].entries())
    expect(await reports[place]).toMatchObject({ status: 200, body: { moved_to: { team: "till", app } } });
  const { rows } = await query(service.databaseUrl, "SELECT labels FROM targets ORDER BY labels");
  expect(rows).toEqual(
    [
      ["cart", "prod"],
      ["cart", "test"],
      ["new", "prod"],
    ].map(([app, env]) => ({
      labels: `{area="shop",team="till",app="${app}",env="${env}"`,
    })),
  );
});

test("a report of an application that is just being merged comes to the one that stays", async () => {
  const service = await useService();
  for (const app of [cart, basket]) await score(service, app);
  // A merge waits for this, and by then has locked the targets.
  const holder = await hold(service, "SELECT FROM scores FOR UPDATE");
  const merged = merge(service);
  await someoneWaits(service, holder);
  const reports = ["dast", "sast"].map((metric) => score(service, cart, metric));
  await holder.query("COMMIT");
  expect(await merged).toMatchObject({ status: 200 });
  // A merge that waits too long lets go and begins anew. A report that comes in between is stored before it, and merged.
  const answers = await Promise.all(reports);
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.moved_to ?? basket).toEqual(basket);
  }
  const { items } = await readPage(service, "/scores?sort=name");
  expect(items).toMatchObject(answers.map(({ body: { reported_at } }) => ({ ...basket, reported_at })));
});

test.each<[string, Bounds, number]>([
  ["the area of both", { area: "shop" }, 200],
  ["the team that it leaves", { area: "shop", team: "checkout" }, 403],
  ["the team that it comes to", { area: "shop", team: "search" }, 403],
  ["the area of neither", { area: "other" }, 403],
])("an admin bound to %s moves only what is within on both sides", async (_, bounds, status) => {
  const service = await useService({ auth: "token" });
  const headersOf = async (bounds: Bounds) => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "Ann", hash: hashToken(token), scopes: ["admin"], bounds });
    return { "content-type": "application/json", authorization: `Bearer ${token}` };
  };
  const raw = { high: 0, medium: 0 };
  await post(
    service,
    "/score",
    { ...cart, env: "prod", scorecard: "security", metric: "dast", raw },
    await headersOf({}),
  );
  expect(await move(service, cart, { ...other, app: "cart" }, await headersOf(bounds))).toMatchObject({ status });
});
