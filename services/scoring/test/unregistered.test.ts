import { describe, expect, onTestFinished, test, vi } from "vitest";
import { applyUnregistered } from "../src/apps/hold.ts";
import type { Unregistered } from "../src/model/unregistered.ts";
import { useChatServer } from "./support/chat-server.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";
import { score as exported, importRows, lines } from "./support/transfer.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const typo = { ...cart, app: "carrt" };
const score = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 3, medium: 0 } };
const good = { ...score, ...typo, raw: { high: 0, medium: 0 } };
const registered = { ...cart, app: "bag" };
const problem = { env: "prod", problem_type: "iac-secret", severity: "high", count: 1, details: [] };

async function shown(service: TestService): Promise<object> {
  const [apps, teams, scores, problems] = await Promise.all(
    ["/apps", "/teams", "/scores", "/problems"].map(async (path) => (await readPage(service, path)).items),
  );
  const scrape = (await service.server.inject("/metrics?collect[]=scores&collect[]=rollups&collect[]=problems"))
    .payload;
  return { apps, teams, scores, problems, scrape };
}

const held = async (service: TestService) =>
  (await readPage<{ app: string }>(service, "/registry?held=true")).items.map(({ app }) => app);

describe.each(engines)("reports of applications that nobody registered, on %s", (kind) => {
  const start = async (unregistered: Unregistered, databaseUrl?: string) =>
    useService({ databaseUrl: databaseUrl ?? (await createDatabase(kind)), unregistered });

  test("count, by default", async () => {
    const service = await start("accept");
    expect((await post(service, "/score", good)).body).not.toHaveProperty("held");
    expect((await readPage(service, "/apps")).items).toMatchObject([typo]);
    expect(await held(service)).toEqual([]);
  });

  test.each([
    ["accept", [false, false]],
    ["hold", [true, true]],
    ["refuse", [false, true]],
  ] as const)("are taken by an import as %s says", async (unregistered, expected) => {
    const { database } = await start(unregistered);
    const rows = [exported, { ...exported, ...typo }, { ...exported, ...registered }].map((row) => ({
      ...row,
      table: "scores",
    }));
    const apps = [
      { table: "apps", ...typo, held_since: exported.reported_at },
      { table: "apps", ...registered, labels: {}, owner: "ann", registered_at: exported.reported_at },
    ];
    await importRows(database, lines(...rows, ...apps), undefined, unregistered);
    const { rows: found } = await database.knex.raw(
      "SELECT app, held_since IS NOT NULL AS held, owner FROM applications ORDER BY app = 'bag', app = 'carrt'",
    );
    expect(found).toEqual([
      { app: "cart", held: expected[0], owner: null },
      { app: "carrt", held: expected[1], owner: null },
      { app: "bag", held: false, owner: "ann" },
    ]);
  });

  test("are held: stored, answered so, listed as held, and shown nowhere until somebody registers the application", async () => {
    const service = await start("hold");
    await put(service, "/registry", cart);
    expect((await post(service, "/score", score)).body).not.toHaveProperty("held");
    expect(await post(service, "/score", good)).toMatchObject({ status: 200, body: { held: true, score: 100 } });
    expect(await post(service, "/score", good)).toMatchObject({ body: { held: true } });
    const batch = await post(service, "/scores", { scores: [score, good] });
    expect((batch.body as { scores: { held?: true }[] }).scores.map((one) => one.held)).toEqual([undefined, true]);
    expect(await post(service, "/problem/scan-result", { ...typo, ...problem })).toMatchObject({
      body: { held: true },
    });
    const before = await shown(service);
    expect(JSON.stringify(before)).not.toContain("carrt");
    expect(await held(service)).toEqual(["carrt"]);

    await put(service, "/registry", typo);
    expect(await held(service)).toEqual([]);
    expect((await post(service, "/score", good)).body).not.toHaveProperty("held");
    // Roll-ups may be some seconds old; scores and scrapes are of now.
    expect((await readPage(service, "/scores?app=carrt")).items).toMatchObject([typo]);
    const { payload } = await service.server.inject("/metrics?collect[]=scores&collect[]=problems");
    expect(payload).toContain('maturity_score{area="shop",team="checkout",app="carrt"');
    expect(payload).toContain('maturity_problem_count{area="shop",team="checkout",app="carrt"');
  });

  test("stay held when two of them are merged", async () => {
    const service = await start("hold");
    for (const app of ["carrt", "carrrt"]) await post(service, "/score", { ...good, app });
    const to = { area: "shop", team: "checkout", app: "carrt" };
    const moved = await post(service, "/apps/move", { from: { ...to, app: "carrrt" }, to, merge: true });
    expect(moved).toMatchObject({ status: 200 });
    expect(await held(service)).toEqual(["carrt"]);
  });

  test("are refused with the nearest registered names, whether or not anything is stored of them", async () => {
    const refusing = await start("refuse");
    const stranger = { ...cart, app: "stranger" };
    await put(refusing, "/registry", { apps: [cart, { ...cart, team: "payments", app: "ledger" }, stranger] });
    await post(refusing, "/score", { ...score, ...stranger });
    // As if it had been stored before anything was refused.
    const { knex } = refusing.database;
    await knex.raw("UPDATE applications SET registered_at = NULL, labels = NULL WHERE app = 'stranger'");
    const refuse = async (sent: object, path: string, message: string) => {
      const answer = await post(refusing, "/score", { ...score, ...sent });
      expectRefusal(answer, { status: 403, code: "app-unregistered", paths: [path] });
      expect(answer.body).toMatchObject({ details: [{ path, message: expect.stringContaining(message) }] });
    };
    await refuse(typo, "app", 'did you mean "cart"?');
    await refuse({ team: "chekout" }, "team", 'there is no team "chekout" in shop; did you mean "checkout"?');
    await refuse({ area: "shopp" }, "area", 'there is no area "shopp"; did you mean "shop"?');
    await refuse({ app: "stranger" }, "app", 'there is no application "stranger" in shop/checkout');
    expect(await post(refusing, "/score", score)).toMatchObject({ status: 200 });
    const batch = await post(refusing, "/scores", { scores: [score, good] });
    expectRefusal(batch, { status: 403, code: "app-unregistered", paths: ["scores[1].app"] });
    expectRefusal(await post(refusing, "/problem/scan-result", { ...typo, ...problem }), {
      status: 403,
      code: "app-unregistered",
      paths: ["app"],
    });
    expect(await post(refusing, "/problem/scan-result", { ...cart, ...problem })).toMatchObject({ status: 200 });
    const { rows } = await refusing.database.knex.raw(
      "SELECT count(*)::int AS count FROM applications WHERE app = 'carrt'",
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test("are stored beside those that are refused at the same moment", async () => {
    const service = await start("refuse");
    await put(service, "/registry", cart);
    const sent = Array.from({ length: 40 }, (_, index) => (index % 2 ? { ...good, app: `ghost-${index}` } : score));
    const answers = await Promise.all(sent.map((body) => post(service, "/score", body)));
    expect(answers.map(({ status }) => status)).toEqual(sent.map((_, index) => (index % 2 ? 403 : 200)));
  });

  test("a report by a former name of a registered application is accepted", async () => {
    const service = await start("refuse");
    await put(service, "/registry", cart);
    await post(service, "/apps/move", {
      from: { area: "shop", team: "checkout" },
      to: { area: "shop", team: "buying" },
    });
    await put(service, "/registry", { ...cart, team: "buying", app: "basket" });
    expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
    expect(await post(service, "/score", { ...score, app: "basket" })).toMatchObject({ status: 200 });
  });
});

test.each(engines)(
  "a refusal of which the names cannot be looked up is no fault of the service, on %s",
  async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind), unregistered: "refuse" });
    await put(service, "/registry", cart);
    const { knex } = service.database;
    const lookUp = vi.spyOn(knex, "raw").mockImplementation(() => {
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "57P01" });
    });
    onTestFinished(() => lookUp.mockRestore());
    expectRefusal(await post(service, "/score", good), { status: 503, code: "store-unavailable" });
    lookUp.mockRestore();
    expectRefusal(await post(service, "/score", good), { status: 403, code: "app-unregistered", paths: ["app"] });
  },
);

describe.each(engines)("a problem of a held application, on %s", (kind) => {
  test("is announced to nobody until the application is registered", async () => {
    const chat = await useChatServer(() => ({ ok: true }));
    const service = await useService({
      ...{ databaseUrl: await createDatabase(kind), unregistered: "hold" },
      chat: { token: "xoxb-1", apiUrl: chat.url },
    });
    const report = async (sent: object = {}) =>
      (await post(service, "/problem/scan-result", { ...typo, ...problem, chat_channel: "#shop", ...sent })).body;
    expect(await report()).toMatchObject({ held: true, alert: "held" });
    expect(await report({ count: 2 })).toMatchObject({ held: true, alert: "held" });
    expect(await report({ count: 0 })).toMatchObject({ held: true, alert: "not_needed" });
    expect(await report()).toMatchObject({ alert: "held" });
    const { rows } = await service.database.knex.raw("SELECT count(*)::int AS count FROM notifications");
    expect(rows).toEqual([{ count: 0 }]);
    await put(service, "/registry", typo);
    expect(await report()).toMatchObject({ alert: "queued" });
    await until(() => chat.messages().length === 1);
  });

  test("is not announced when it waited before its application was held, but its end is", async () => {
    const chat = await useChatServer(() => ({ ok: true }));
    const service = await useService({
      ...{ databaseUrl: await createDatabase(kind), chat: { token: "xoxb-1", apiUrl: chat.url } },
    });
    const report = async (sent: object = {}) =>
      (await post(service, "/problem/scan-result", { ...typo, ...problem, chat_channel: "#shop", ...sent })).body;
    await report();
    await until(() => chat.messages().length === 1);
    await applyUnregistered(service.database, "hold", "ops");
    expect(await report({ count: 2 })).toMatchObject({ held: true, alert: "held" });
    expect(await report({ count: 0 })).toMatchObject({ held: true, alert: "queued" });
    await until(() => chat.messages().length === 2);
  });
});

test("a setting holds at the start what nobody registered, and releases it, and the audit shows both", async () => {
  const service = await useService({});
  await put(service, "/registry", cart);
  await post(service, "/scores", { scores: [score, good] });
  const apply = (unregistered: Unregistered) => applyUnregistered(service.database, unregistered, "ops");
  expect(await apply("hold")).toBe(1);
  expect(await apply("hold")).toBe(0);
  expect(await apply("refuse")).toBe(0);
  expect(await held(service)).toEqual(["carrt"]);
  expect(await apply("accept")).toBe(1);
  expect(await held(service)).toEqual([]);
  const { items } = await readPage<object>(service, "/audit?action=app.hold&action=app.release");
  expect(items).toMatchObject([
    { action: "app.release", actor: "ops", details: { applications: 1 } },
    { action: "app.hold", details: { applications: 1 } },
  ]);
});

test("a held application may be merged into the one that was meant, and counts with it", async () => {
  const service = await useService({ unregistered: "hold" });
  await put(service, "/registry", cart);
  await post(service, "/scores", { scores: [good] });
  expect(await post(service, "/apps/move", { from: typo, to: cart, merge: true })).toMatchObject({ status: 200 });
  expect(await held(service)).toEqual([]);
  expect((await readPage(service, "/scores")).items).toMatchObject([cart]);
});

test.each(["accept", "hold", "refuse"] as const)(
  "a waiver of a name that nothing has is refused with the nearest one (%s)",
  async (unregistered) => {
    const service = await useService({ unregistered });
    await put(service, "/registry", cart);
    if (unregistered === "hold") await post(service, "/score", good);
    const waiver = { scorecard: "security", kind: "not_applicable", reason: "no web", owner: "Ann" };
    const refuse = async (name: object, path: string, message: string) => {
      const answer = await post(service, "/waivers", { ...waiver, ...name });
      expectRefusal(answer, { paths: [path] });
      expect(JSON.stringify(answer.body)).toContain(JSON.stringify(message).slice(1, -1));
    };
    await refuse(
      { area: "shop", team: "chekout" },
      "team",
      'there is no team "chekout" in shop; did you mean "checkout"?',
    );
    await refuse({ area: "shopp" }, "area", 'there is no area "shopp"; did you mean "shop"?');
    await refuse(typo, "app", 'there is no application "carrt" in shop/checkout; did you mean "cart"?');
    expect(await post(service, "/waivers", { ...waiver, ...cart })).toMatchObject({ status: 201 });
  },
);
