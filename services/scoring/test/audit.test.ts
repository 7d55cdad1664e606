import { userInfo } from "node:os";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { prune } from "../src/history/prune.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { type AuditEntry, auditActions, auditKinds, recordAudit } from "../src/store/audit.ts";
import { readAll, readPage } from "./support/reading.ts";
import { createDatabase, engines, startService, type TestService, until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

type Item = Record<string, unknown>;

const action: AuditEntry = { actor: "ann", action: "app.retire", target: {}, details: {} };

function record({ database }: TestService, entries: readonly Partial<AuditEntry>[]): Promise<unknown> {
  return entries.reduce<Promise<unknown>>(
    (done, entry) => done.then(() => recordAudit(database.knex, { ...action, ...entry })),
    Promise.resolve(),
  );
}

async function tokenOf({ database }: TestService, bounds: Bounds, scopes: readonly Scope[] = ["admin"]) {
  const token = createToken();
  await insertToken(database.knex, { name: "auditor", hash: hashToken(token), scopes, bounds });
  return { authorization: `Bearer ${token}` };
}

describe.each(engines)("on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterEach(() => service.database.knex.raw("DELETE FROM audit"));
  afterAll(() => service.stop());

  test("tokens that are made and revoked are said, without their secret, by whom and whom for", async () => {
    const made = await runOn(service.database, [
      ...["token", "create", "--name", "ci", "--scope", "score:write", "--area", "shop", "--expires", "30"],
    ]);
    const [id = ""] = /\d+/.exec(made) ?? [];
    await runOn(service.database, ["token", "revoke", id]);
    const { items } = await readPage<Item>(service, "/audit");
    const target = { area: "shop", team: null, app: null, env: null };
    const common = { actor: `maturity-service (${userInfo().username})`, ...target, at: expect.stringMatching(/Z$/) };
    const named = { id: Number(id), name: "ci", scopes: ["score:write"] };
    expect(items).toMatchObject([
      { ...common, action: "token.revoke", details: named },
      { ...common, action: "token.create", details: { ...named, expires_at: expect.stringMatching(/Z$/) } },
    ]);
    const [, secret = ""] = /(maturity_\w+)/.exec(made) ?? [];
    for (const hidden of [secret, hashToken(secret)]) expect(JSON.stringify(items)).not.toContain(hidden);
  });

  test("an action that cannot be recorded is not done", async () => {
    const { database } = service;
    const { knex } = database;
    onTestFinished(() => knex.raw("ALTER TABLE audit DROP CONSTRAINT silent"));
    await knex.raw("ALTER TABLE audit ADD CONSTRAINT silent CHECK (actor = 'ann')");
    await knex.raw("DELETE FROM tokens");
    const create = runOn(database, ["token", "create", "--name", "ci", "--scope", "read"]);
    await expect(create).rejects.toThrow(/check/);
    expect((await knex.raw("SELECT FROM tokens")).rows).toEqual([]);
    await knex.raw("INSERT INTO tokens (name, hash, scopes) VALUES ('x', '\\x00', '{read}')");
    const { id } = (await knex.raw("SELECT id FROM tokens")).rows[0];
    await expect(runOn(database, ["token", "revoke", String(id)])).rejects.toThrow(/check/);
    expect((await knex.raw("SELECT revoked_at FROM tokens")).rows).toEqual([{ revoked_at: null }]);
  });

  test("a revocation that did nothing is no action", async () => {
    await expect(runOn(service.database, ["token", "revoke", "7"])).rejects.toThrow("there is no token 7");
    expect((await readPage(service, "/audit")).total).toBe(0);
  });

  test("the newest comes first, and pages are the whole list, also where times are equal", async () => {
    await record(
      service,
      Array.from({ length: 25 }, (_, place) => ({ details: { place } })),
    );
    const { items, total } = await readPage<Item>(service, "/audit");
    expect(items.map(({ details }) => (details as Item).place)).toEqual(Array.from({ length: 25 }, (_, n) => 24 - n));
    expect(total).toBe(25);
    await service.database.knex.raw("UPDATE audit SET at = '2026-01-31T12:00:00.123456Z'");
    const same = (await readPage<Item>(service, "/audit")).items;
    expect(await readAll(service, "/audit", 4)).toEqual(same);
    expect(new Set(same.map(({ id }) => id)).size).toBe(25);
  });

  test("an entry that comes while somebody reads moves no other", async () => {
    await record(
      service,
      Array.from({ length: 10 }, (_, place) => ({ details: { place } })),
    );
    const read = await readAll<Item>(service, "/audit", 3, () => record(service, [{ actor: "bob" }]).then(() => {}));
    expect(read.map(({ actor }) => actor)).toEqual(Array(10).fill("ann"));
  });

  test("filters leave what they say", async () => {
    await record(service, [
      { actor: "ann" },
      { actor: "bob", action: "app.move", target: { area: "shop", team: "checkout" } },
      { actor: "eve", action: "waiver.create", target: { area: "shop", team: "checkout", app: "cart", env: "prod" } },
      { actor: "ann", action: "token.create", target: { area: "pay" } },
    ]);
    await service.database.knex.raw(
      "UPDATE audit SET at = CASE actor WHEN 'bob' THEN '2026-01-30T23:59:59Z' ELSE '2026-01-31T00:00:00Z' END::timestamptz",
    );
    const actors: Readonly<Record<string, readonly string[]>> = {
      "actor=ann&action=token.create": ["ann"],
      "actor=ann&actor=bob": ["ann", "ann", "bob"],
      "action=app.move&action=waiver.create": ["bob", "eve"],
      "area=shop": ["bob", "eve"],
      "area=shop&team=checkout&app=cart": ["eve"],
      "env=prod": ["eve"],
      "since=2026-01-31": ["ann", "ann", "eve"],
      "until=2026-01-30T23:59:59Z": ["bob"],
      "since=2026-01-30T23:59:59Z&until=2026-01-30T23:59:59Z": ["bob"],
      "actor=nobody": [],
    };
    for (const [query, expected] of Object.entries(actors)) {
      const { items } = await readPage<Item>(service, `/audit?${query}`);
      expect(items.map(({ actor }) => actor).sort(), query).toEqual(expected);
    }
  });

  test("is kept as long as the history, and 400 days where there is none", async () => {
    const { signal } = new AbortController();
    const days = async () => {
      const { rows } = await service.database.knex.raw("SELECT details->>'days' AS days FROM audit ORDER BY at");
      return rows.map((row: { days: string }) => Number(row.days));
    };
    await record(
      service,
      [500, 390, 20, 0].map((days) => ({ details: { days } })),
    );
    await service.database.knex.raw("UPDATE audit SET at = now() - (details->>'days')::int * interval '1 day'");
    await prune(service.database, { historyDays: 0, signal });
    expect(await days()).toEqual([390, 20, 0]);
    await prune(service.database, { historyDays: 30, signal });
    expect(await days()).toEqual([20, 0]);
  });
});

test("the list knows every action", async () => {
  const service = await useService();
  await record(
    service,
    auditActions.map((action) => ({ action })),
  );
  const byKind = Object.values(auditKinds).flat();
  expect(byKind.toSorted()).toEqual(auditActions.toSorted());
  for (const action of auditActions) {
    expect(await readPage(service, `/audit?action=${action}`)).toMatchObject({ items: [{ action }], total: 1 });
  }
});

/** Items as a caller within these bounds sees them, the oldest first. */
async function seenBy(
  service: TestService,
  bounds: Bounds,
  query: Readonly<Record<string, string>> = {},
  scopes: readonly Scope[] = ["read"],
) {
  const { items, total } = await readPage<Item>(service, "/audit", query, await tokenOf(service, bounds, scopes));
  expect(total).toBe(items.length);
  return items.toReversed();
}

test("a move is shown to readers of either side, and its new name only to those who may read that", async () => {
  const service = await useService({ auth: "token" });
  const from = { area: "shop", team: "checkout", app: "cart" };
  const within = { ...from, app: "basket" };
  const beyond = { area: "bank", team: "loans", app: "cart" };
  for (const to of [within, beyond]) {
    await record(service, [{ action: "app.move", target: from, details: { to, merge: false, scores: 3 } }]);
  }
  const said = { merge: false, scores: 3 };
  const moved = async (bounds: Bounds, scopes?: readonly Scope[]) =>
    (await seenBy(service, bounds, {}, scopes)).map(({ details, text }) => [details, text]);
  const [toBasket, toBank, away] = [
    [{ ...said, to: within }, "moved shop/checkout/cart to shop/checkout/basket"],
    [{ ...said, to: beyond }, "moved shop/checkout/cart to bank/loans/cart"],
    [said, "moved shop/checkout/cart to another part of the organisation"],
  ];
  for (const scopes of [["read"], ["admin"]] as const) {
    expect(await moved({ area: "shop" }, scopes)).toEqual([toBasket, away]);
    expect(await moved({ area: "bank" }, scopes)).toEqual([toBank]);
    expect(await moved({ area: "bank", team: "cards" }, scopes)).toEqual([]);
    expect(await moved({}, scopes)).toEqual([toBasket, toBank]);
  }
  expect((await seenBy(service, {}, { area: "bank" })).map(({ text }) => text)).toEqual([toBank?.[1]]);
});

test("a reader sees what concerns his bounds, and nothing beside or above", async () => {
  const service = await useService({ auth: "token" });
  const ofShop = { scope: { areas: ["shop", "pay"] } };
  await record(service, [
    { actor: "everywhere" },
    { actor: "area", target: { area: "shop" } },
    { actor: "team", target: { area: "shop", team: "checkout" } },
    { actor: "app", target: { area: "shop", team: "checkout", app: "cart" } },
    { actor: "elsewhere", target: { area: "pay", team: "checkout", app: "cart" } },
    { actor: "rules", action: "policy.load" },
    { actor: "waiver", action: "waiver.create", target: { area: "shop" } },
    { actor: "campaign", action: "campaign.start", details: ofShop },
    { actor: "campaign of all", action: "campaign.start", details: { scope: { tier: [1] } } },
    { actor: "token", action: "token.create", target: { area: "shop" } },
  ]);
  const seen = async (bounds: Bounds, query = {}) => (await seenBy(service, bounds, query)).map(({ actor }) => actor);
  const [rules, ofAll] = ["rules", "campaign of all"];
  const whole = [...["everywhere", "area", "team", "app", "elsewhere", rules, "waiver", "campaign", ofAll]];
  expect(await seen({})).toEqual(whole);
  expect(await seen({ area: "shop" })).toEqual(["area", "team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({}, { area: "shop" })).toEqual(["area", "team", "app", rules, "waiver", "campaign", ofAll]);
  const checkout = { area: "shop", team: "checkout" };
  expect(await seen(checkout)).toEqual(["team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ area: "shop" }, checkout)).toEqual(["team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ app: "cart" })).toEqual(["app", "elsewhere", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ area: "none" })).toEqual([rules, ofAll]);
  expect(await seen({ area: "shop" }, { kind: "waiver" })).toEqual(["waiver"]);
  expect(await seen({ area: "shop" }, { kind: "policy", actor: "rules" })).toEqual([rules]);
});

test("only an admin sees tokens, and what details say of operators and of others", async () => {
  const service = await useService({ auth: "token" });
  const change = { setting: "weights.scorecards.security", from: 35, to: 40 };
  await record(service, [
    { action: "policy.load", details: { file: "/etc/maturity/policy.yaml", changes: [change] } },
    { action: "campaign.create", target: { area: "shop" }, details: { name: "all", scope: { areas: ["shop"] } } },
    { action: "token.create", target: { area: "shop" }, details: { name: "ci", scopes: ["read"] } },
    { action: "session.revoke", details: { name: "bob" } },
  ]);
  const rules = "loaded other rules: weights.scorecards.security 35 → 40";
  expect(await seenBy(service, {})).toMatchObject([
    { details: { changes: [change] }, text: rules },
    { details: { name: "all" }, text: "made the campaign all, due an unknown day" },
  ]);
  expect(JSON.stringify(await seenBy(service, {}))).not.toMatch(/policy\.yaml|scope/);
  const whole = await seenBy(service, {}, {}, ["admin"]);
  expect(whole.map(({ action }) => action)).toEqual([
    ...["policy.load", "campaign.create", "token.create", "session.revoke"],
  ]);
  expect(whole[0]?.details).toMatchObject({ file: "/etc/maturity/policy.yaml" });
  const bound = await seenBy(service, { area: "shop" }, {}, ["admin"]);
  expect(bound.map(({ text }) => text)).toEqual([
    ...[rules, "made the campaign all, due an unknown day", "made the token ci with read, bound to shop"],
  ]);
  expect(bound[0]?.details).toEqual({ changes: [change] });
});

test("the session of a reader opens it, with what a reader sees", async () => {
  const service = await useService({ auth: "token" });
  await record(service, [{ action: "token.create" }, { action: "app.retire", target: { area: "shop" } }]);
  const headers = await tokenOf(service, {});
  const opened = await service.server.inject({
    ...{ method: "POST", url: "/board/session" },
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    payload: JSON.stringify({ token: headers.authorization.slice("Bearer ".length) }),
  });
  expect(opened.statusCode).toBe(200);
  const cookie = String(opened.headers["set-cookie"]).split(";", 1)[0];
  const { items } = await readPage<Item>(service, "/audit", {}, { cookie: cookie ?? "" });
  expect(items.map(({ action }) => action)).toEqual(["app.retire"]);
});

test("each action reads as a sentence after the name of its actor", async () => {
  const service = await useService();
  const cart = { area: "shop", team: "checkout", app: "cart" };
  const waiver = {
    ...{ scorecard: "security", metric: "dast", problem_type: null, reason: "no staging yet", owner: "ann" },
    ...{ expires_at: "2026-11-30T12:00:00.000Z", requested_by: "bob" },
  };
  const [first, ...others] = ["a", "b", "c", "d"].map((one) => `shop/checkout/${one}`);
  const said: readonly [Partial<AuditEntry>, string][] = [
    [
      { action: "app.register", target: cart, details: { registered: 1, changed: 0, apps: ["shop/checkout/cart"] } },
      "registered shop/checkout/cart",
    ],
    [
      {
        ...{ action: "app.register", target: { area: "shop" } },
        details: { registered: 3, changed: 1, apps: [first, ...others] },
      },
      "registered 3 applications and changed the registration of 1 application of shop: shop/checkout/a, shop/checkout/b, shop/checkout/c and 1 more",
    ],
    [
      { action: "app.retire", target: { ...cart, env: "prod" }, details: { reason: "gone" } },
      "retired shop/checkout/cart (prod): gone",
    ],
    [
      { action: "waiver.approve", target: cart, details: { ...waiver, comment: "fine" } },
      "approved a waiver of security.dast for shop/checkout/cart until 30 November 2026, which bob asked for",
    ],
    [
      { action: "waiver.request", target: { area: "shop" }, details: { ...waiver, metric: null, expires_at: null } },
      "asked for a waiver of security for shop: no staging yet",
    ],
    [
      {
        action: "waiver.create",
        target: cart,
        details: { ...waiver, metric: null, scorecard: null, problem_type: "cve" },
      },
      "waived the problem cve for shop/checkout/cart until 30 November 2026: no staging yet",
    ],
    [
      { action: "campaign.start", details: { name: "No secrets", due: "2026-12-31" } },
      "started the campaign No secrets, due 31 December 2026",
    ],
    [
      { action: "replay.apply", details: { scorers: ["@maturity/security@1.1.0"], phase: "end", written: 3 } },
      "scored again what is stored by @maturity/security@1.1.0",
    ],
    [
      { action: "policy.load", details: { changes: [{ setting: "weights.scorecards.cost", from: null, to: 10 }] } },
      "loaded the first rules",
    ],
    [{ action: "app.hold", details: { applications: 2 } }, "held 2 applications that nobody registered"],
  ];
  await record(
    service,
    said.map(([entry]) => entry),
  );
  const { items } = await readPage<Item>(service, "/audit");
  expect(items.toReversed().map(({ text }) => text)).toEqual(said.map(([, text]) => text));
});

test("an action in a spreadsheet runs nothing", async () => {
  const service = await useService();
  await record(service, [{ actor: '=HYPERLINK("http://x")', target: { area: "+1" }, details: { "a,b": '"' } }]);
  const { payload } = await service.server.inject({ url: "/audit", headers: { accept: "text/csv" } });
  expect(payload.split("\r\n")[1]).toContain(
    `"'=HYPERLINK(""http://x"")",app.retire,'+1,,,,retired +1,"{""a,b"":""\\""""}"`,
  );
});

test("deep pages of a long list are read by its index", async () => {
  const service = await useService();
  await service.database.background.raw(`
      INSERT INTO audit (at, actor, action, details)
      SELECT now() - number * interval '1 minute', 'ann', 'app.retire', '{}' FROM generate_series(1, 50000) AS number
    `);
  await service.database.background.raw("ANALYZE audit");
  const statements: { sql: string; bindings: readonly unknown[] }[] = [];
  service.database.lists.on("query", (query) => statements.push(query));
  const { next } = await readPage(service, "/audit?limit=10");
  await readPage(service, `/audit?limit=10&cursor=${next}`);
  await until(() => statements.length >= 4);
  const { sql = "", bindings = [] } = statements.findLast(({ sql }) => sql.includes("LIMIT")) ?? {};
  const { rows } = await service.database.background.raw(
    `EXPLAIN ${sql.replace(/\$(\d+)/g, (_, place) => `'${bindings[Number(place) - 1]}'`)}`,
  );
  expect(JSON.stringify(rows)).toContain("audit_newest");
});
