import { userInfo } from "node:os";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hashToken } from "../src/auth/token.ts";
import { prune } from "../src/history/prune.ts";
import { auditActions, auditKinds } from "../src/store/audit.ts";
import { record } from "./support/audit.ts";
import { readAll, readPage } from "./support/reading.ts";
import { createDatabase, engines, startService, type TestService, until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

type Item = Record<string, unknown>;

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
    const to = { area: "shop", team: "pay" };
    await record(service, [
      { actor: "ann" },
      { actor: "bob", action: "app.move", target: { area: "shop", team: "checkout" }, details: { to } },
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
      "area=shop&team=checkout&app=cart": ["bob", "eve"],
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
