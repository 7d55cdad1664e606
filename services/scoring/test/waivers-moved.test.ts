import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { query } from "./support/postgres.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { type TestService, until, useService } from "./support/service.ts";
import { listed } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const waiver = { kind: "not_applicable", scorecard: "security", metric: "dast", reason: "a library", owner: "ann" };

const waive = (service: TestService, of: object, headers?: Readonly<Record<string, string>>) =>
  post(service, "/waivers", { ...waiver, ...of }, headers);

async function report(service: TestService, app: object): Promise<void> {
  const dast = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
  expect(await post(service, "/score", { ...dast, ...app })).toMatchObject({ status: 200 });
}

test.each<[string, { from: object; to: object }, { of: object; current: object }]>([
  [
    "an application",
    { from: cart, to: { ...cart, app: "basket" } },
    { of: { ...cart, env: "prod" }, current: { ...cart, app: "basket", env: "prod" } },
  ],
  [
    "a team, of one of its applications",
    { from: { area: "shop", team: "checkout" }, to: { area: "store", team: "till" } },
    { of: cart, current: { area: "store", team: "till", app: "cart" } },
  ],
  [
    "a team, of all of it",
    { from: { area: "shop", team: "checkout" }, to: { area: "store", team: "till" } },
    { of: { area: "shop", team: "checkout" }, current: { area: "store", team: "till", app: null } },
  ],
  [
    "an area, of all of it",
    { from: { area: "shop" }, to: { area: "store" } },
    { of: { area: "shop" }, current: { area: "store", team: null, app: null } },
  ],
])("a waiver under the former name of %s is of the name that counts, and says so", async (_, move, { of, current }) => {
  const service = await useService();
  await report(service, cart);
  expect(await post(service, "/apps/move", move)).toMatchObject({ status: 200 });
  const { status, body } = await waive(service, of);
  const { env: __, ...name } = current as { env?: string };
  expect({ status, body }).toMatchObject({ status: 201, body: { ...current, moved_to: name } });
  const { moved_to: ___, ...stored } = body;
  expect(await listed(service)).toEqual([stored]);
  const audit = (await readPage(service, "/audit", { action: "waiver.create" })).items;
  expect(audit).toMatchObject([{ ...current }]);
  expect((await waive(service, current)).body).not.toHaveProperty("moved_to");
});

test("a waiver that waits for a move is of the new name", async () => {
  const service = await useService();
  await report(service, cart);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  // A move waits for this, and by then has locked the names.
  await holder.query("BEGIN; SELECT FROM applications FOR UPDATE");
  const move = post(service, "/apps/move", {
    from: { area: "shop", team: "checkout" },
    to: { area: "shop", team: "till" },
  });
  const waiting = async () =>
    (
      await query(
        service.databaseUrl,
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      )
    ).rows.length;
  await until(async () => (await waiting()) === 1);
  const asked = [cart, { ...cart, app: undefined }].map((of) => waive(service, of));
  await until(async () => (await waiting()) === 3);
  await holder.query("COMMIT");
  expect(await move).toMatchObject({ status: 200 });
  const names = [
    { ...cart, team: "till" },
    { area: "shop", team: "till", app: null },
  ];
  for (const [place, name] of names.entries())
    expect(await asked[place]).toMatchObject({ status: 201, body: { ...name, moved_to: name } });
});

test("a waiver of a retired application is refused, since it would waive nothing", async () => {
  const service = await useService();
  await report(service, cart);
  await post(service, "/apps/retire", { ...cart, reason: "replaced" });
  expectRefusal(await waive(service, cart), { status: 409, code: "app-retired", paths: ["app"] });
  const team = { ...cart, app: undefined };
  expectRefusal(await waive(service, team), { paths: ["area"], message: /^area is unknown: there is no area "shop"/ });
  await report(service, { ...cart, app: "till" });
  expect(await waive(service, team)).toMatchObject({ status: 201 });
});

test("a token waives nothing that has left its bounds, whatever it is called", async () => {
  const service = await useService({ auth: "token" });
  const headersOf = async (scopes: readonly ("admin" | "waiver:write" | "waiver:request")[], bounds: object) => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "Ann", hash: hashToken(token), scopes, bounds });
    return { "content-type": "application/json", authorization: `Bearer ${token}` };
  };
  const admin = await headersOf(["admin"], {});
  await post(
    service,
    "/score",
    { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } },
    admin,
  );
  const asker = await headersOf(["waiver:request"], { area: "shop", team: "checkout" });
  const asked = await waive(service, cart, asker);
  expect(asked).toMatchObject({ status: 201, body: { state: "requested" } });
  const move = { from: cart, to: { ...cart, team: "promotions" } };
  expect(await post(service, "/apps/move", move, admin)).toMatchObject({ status: 200 });
  const withdrawn = await post(service, `/waivers/${asked.body.id}/withdraw`, {}, asker);
  expectRefusal(withdrawn, { status: 404, code: "not-found" });
  expect(JSON.stringify(withdrawn.body)).not.toContain("promotions");
  const bound = await headersOf(["waiver:write"], { area: "shop", team: "checkout" });
  const message = /^shop\/checkout\/cart has moved out of your bounds$/;
  expectRefusal(await waive(service, cart, bound), { status: 403, code: "forbidden", paths: ["app"], message });
  expect(await waive(service, cart, await headersOf(["waiver:write"], { area: "shop" }))).toMatchObject({
    status: 201,
  });
});
