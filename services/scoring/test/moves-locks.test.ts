import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { type TestService, useService } from "./support/service.ts";

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
  ["a score that moves", "SELECT FROM scores WHERE app = 'cart' FOR UPDATE"],
  ["the recording of a day", "SELECT FROM roll_ups_until FOR UPDATE"],
  ["the names", "SELECT pg_advisory_xact_lock_shared(1835103329, lock_of_name('shop', 'checkout'))"],
])(
  "while somebody else has locked %s a move changes nothing and says so, and reports of others go on",
  async (_, statement) => {
    const service = await useService();
    for (const app of [cart, other]) await score(service, app);
    const holder = await hold(service, statement);
    const moved = move(service, cart, basket);
    for (const metric of ["dast", "sast"]) expect(await score(service, other, metric)).toMatchObject({ status: 200 });
    expectRefusal(await moved, { status: 503, code: "store-unavailable", message: /locked .* nothing is changed/ });
    expect((await readPage(service, "/aliases")).items).toEqual([]);
    await holder.query("ROLLBACK");
    expect(await move(service, cart, basket)).toMatchObject({ status: 200 });
  },
);

test("a report that waits for a move is stored under the new name", async () => {
  const service = await useService();
  await score(service, cart);
  const mover = await hold(service, "SELECT pg_advisory_xact_lock(1835103329, lock_of_name('shop', 'checkout'))");
  await mover.query("UPDATE scores SET app = 'basket', key = sha256('x') WHERE app = 'cart'");
  const reports = ["dast", "sast"].map((metric) => score(service, cart, metric));
  await mover.query(
    "INSERT INTO app_aliases (area, team, app, to_area, to_team, to_app) VALUES ('shop', 'checkout', 'cart', 'shop', 'checkout', 'basket')",
  );
  await mover.query("COMMIT");
  for (const answer of await Promise.all(reports))
    expect(answer).toMatchObject({ status: 200, body: { moved_to: basket } });
  expect((await readPage(service, "/scores?app=cart")).items).toEqual([]);
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
