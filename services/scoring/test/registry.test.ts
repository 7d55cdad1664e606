import { describe, expect, test } from "vitest";
import { labelSet } from "../src/model/label-set.ts";
import { createRollUpReader } from "../src/rollups/roll-ups.ts";
import type { RegisteredApp } from "../src/store/apps.ts";
import { labelsSql } from "../src/store/labels.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { astral, hiddenNames, hostileNames } from "./support/hostile-names.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const score = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
const facts = { owner: "Ann", repo: "https://git.example.com/cart", tier: "1", labels: { "on call": "yes\ttab" } };

const registry = async (service: TestService, search = "") =>
  (await readPage<RegisteredApp>(service, `/registry?${search}`)).items;

const registered = async ({ server }: TestService, search = "") =>
  parseExposition((await server.inject(`/metrics?collect[]=registry${search}`)).payload).map(({ labels }) => labels);

describe.each(engines)("on %s", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind) });

  test("what is registered stands in the registry, in place of the former entry", async () => {
    const service = await start();
    expect(await put(service, "/registry", { ...cart, ...facts })).toMatchObject({
      status: 200,
      body: { registered: 1, changed: 0, unchanged: 0, moved: [] },
    });
    expect(await registry(service)).toEqual([
      {
        ...cart,
        env: null,
        ...facts,
        registered_at: expect.any(String),
        held_since: null,
        retired_at: null,
        reason: null,
      },
    ]);
    expect(await put(service, "/registry", { apps: [{ ...cart, ...facts }] })).toMatchObject({
      body: { unchanged: 1 },
    });
    const pay = { ...cart, app: "pay" };
    expect(await put(service, "/registry", { apps: [cart, pay, pay] })).toMatchObject({
      body: { registered: 1, changed: 1, unchanged: 0 },
    });
    expect(await registry(service)).toMatchObject([
      { ...cart, owner: null, repo: null, tier: null, labels: {} },
      { ...pay },
    ]);
    expect(await registry(service, "app=pay")).toMatchObject([pay]);
    expect(await registry(service, "retired=true")).toEqual([]);
  });

  test("an application that has reported nothing stands once in /apps, with nothing but what is registered", async () => {
    const service = await start();
    const silent = { ...cart, app: "silent" };
    await put(service, "/registry", {
      apps: [
        { ...cart, ...facts },
        { ...silent, repo: "https://git.example.com/s" },
      ],
    });
    for (const env of ["prod", "test"]) await post(service, "/score", { ...score, env });
    await post(service, "/score", { ...score, app: "stranger", project_repo: "https://git.example.com/x" });
    const { items, total } = await readPage(service, "/apps?sort=name");
    expect(total).toBe(4);
    expect(items).toMatchObject([
      { ...cart, env: "prod", registered: true, ...facts },
      { ...cart, env: "test", registered: true, ...facts },
      {
        ...{ ...silent, env: null, score: null, reported: 0, fresh: 0, scorecards: [] },
        ...{ registered: true, owner: null, repo: "https://git.example.com/s", oldest_reported_at: null },
      },
      { ...cart, app: "stranger", registered: false, repo: "https://git.example.com/x", labels: {} },
    ]);
    for (const sort of ["score", "-score"]) {
      expect((await readPage(service, `/apps?sort=${sort}`)).items.at(-1)).toMatchObject({ env: null });
    }
    const one = async (search: string) => (await readPage(service, `/apps?app=silent&${search}`)).items;
    expect(await one("env=prod")).toEqual([]);
    expect(await one("below=100")).toEqual([]);
    expect(await one("trend=true")).toMatchObject([{ trend: Array(30).fill(null) }]);
    expect(await one("missing=security.dast")).toHaveLength(1);
    expect(await one("reported=false")).toHaveLength(1);
    expect(await one("reported=true")).toEqual([]);
    expect((await readPage(service, "/apps?reported=false")).items).toMatchObject([silent]);
    expect((await readPage(service, "/apps?reported=true")).total).toBe(3);
    const filters = [
      "",
      "env=prod",
      "state=silent",
      "state=held",
      "area=shop",
      "area=other",
      "owner=Ann",
      "sort=-score",
    ];
    for (const filter of [...filters, "trend=true", "detail=true", "lacks=true", "since=2026-01-01", "below=100"]) {
      const { items } = await readPage<{ env: string | null }>(service, `/apps?${filter}`);
      const apart = items.filter(({ env }) => env === null);
      expect((await readPage(service, `/apps?reported=false&${filter}`)).items, filter).toEqual(apart);
    }
    expect((await readPage(service, "/search?q=silent")).items).toEqual([{ ...silent, formerly: null }]);
    expect((await readPage(service, "/search?q=checkout")).items[0]).toEqual({ ...cart, app: null, formerly: null });
    const [detailed] = (await one("detail=true")) as { metrics: { state: string }[] }[];
    expect(new Set(detailed?.metrics.map(({ state }) => state))).toEqual(new Set(["missing"]));
    const { payload } = await service.server.inject({ url: "/apps?sort=name", headers: { accept: "text/csv" } });
    expect(payload.split("\r\n")).toContainEqual(expect.stringMatching(/^shop,checkout,silent,,,,0,0,/));
  });

  test("teams and areas show how many of their applications are registered, and have reported nothing", async () => {
    const service = await start();
    await put(service, "/registry", {
      apps: [
        cart,
        { ...cart, app: "silent" },
        { ...cart, team: "search" },
        { area: "other", team: "checkout", app: "cart" },
      ],
    });
    for (const app of ["cart", "stranger"]) await post(service, "/score", { ...score, app });
    const counts = async (path: string) => (await readPage(service, path)).items;
    expect(await counts("/teams")).toMatchObject([{ team: "checkout", count: 2, registered: 2, unreported: 1 }]);
    expect(await counts("/areas")).toMatchObject([{ area: "shop", count: 1, apps: 2, registered: 3, unreported: 2 }]);
    expect(await counts("/areas?app=cart")).toMatchObject([{ count: 1, registered: 2, unreported: 1 }]);
    expect(await counts("/areas?env=prod")).toMatchObject([{ registered: 3, unreported: 2 }]);
  });

  test("one that reported only what is waived is not taken for one that never reported", async () => {
    const service = await start();
    await put(service, "/registry", { apps: [cart, { ...cart, app: "silent" }] });
    for (const app of ["cart", "other", "stranger"]) await post(service, "/score", { ...score, app });
    const { scorecard, metric } = score;
    for (const app of ["cart", "stranger"]) {
      await waive(service, { area: "shop", team: "checkout", app, scorecard, metric });
    }
    const { items } = await readPage<{ waived: number }>(service, "/apps", { sort: "name" });
    expect(items).toMatchObject([
      { app: "cart", env: "prod", score: null, reported: 0, registered: true, oldest_reported_at: expect.any(String) },
      { app: "other", env: "prod" },
      { app: "silent", env: null, score: null, waived: 0, oldest_reported_at: null },
      { app: "stranger", env: "prod", score: null, reported: 0, registered: false, owner: null },
    ]);
    expect(items[0]?.waived).toBeGreaterThan(0);
    const apps = async (query: Record<string, string>) =>
      (await readPage<{ app: string }>(service, "/apps", { ...query, sort: "name" })).items.map(({ app }) => app);
    expect(await apps({ reported: "false" })).toEqual(["silent"]);
    expect(await apps({ env: "prod" })).toEqual(["cart", "other", "stranger"]);
    expect(await apps({ team: "search" })).toEqual([]);
    expect(await apps({ env: "test" })).toEqual([]);
    expect(await apps({ missing: `${scorecard}.${metric}` })).toEqual(["silent"]);
    const detailed = await readPage<{ metrics: object[] }>(service, "/apps", { app: "cart", detail: "true" });
    expect(detailed.items[0]?.metrics).toContainEqual(expect.objectContaining({ metric, state: "waived" }));
    expect((await readPage(service, "/teams")).items).toMatchObject([{ count: 1, registered: 2, unreported: 1 }]);
  });

  test("all pages of a list are taken from one reading, be it with applications that never reported", async () => {
    const service = await start();
    await put(service, "/registry", { ...cart, app: "silent" });
    const { read } = createRollUpReader(service.database, shippedEngine);
    const [first, second] = [(await read({})).allApps, (await read({})).allApps];
    expect(first).toMatchObject([{ app: "silent", score: null }]);
    expect(second).toBe(first);
  });

  test("each registered application is a series, whatever its environments", async () => {
    const service = await start();
    await put(service, "/registry", { apps: [cart, { ...cart, app: 'p"a\\y' }] });
    expect(await registered(service)).toEqual([cart, { ...cart, app: 'p"a\\y' }]);
    expect(await registered(service, "&app=cart&env=none")).toEqual([cart]);
    expect(await registered(service, "&team=other")).toEqual([]);
  });

  test("the database makes the labels that the service makes", async () => {
    const { database } = await start();
    const names = [...hostileNames, ...hiddenNames, astral(1), "\u007e\u00a1", "/", "\u2028"];
    const { rows } = await database.knex.raw(
      `SELECT name, ${labelsSql({ app: "name", env: "'x'" })} AS labels FROM json_array_elements_text(?::json) AS names (name)`,
      [JSON.stringify(names)],
    );
    expect(rows).toEqual(names.map((name) => ({ name, labels: labelSet({ app: name, env: "x" }) })));
  });
});

test("a body with faults registers nothing, and every fault is named", async () => {
  const service = await useService();
  const labels = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`l${index}`, ""]));
  expectRefusal(
    await put(service, "/registry", { apps: [cart, { ...cart, tier: 1, team: "" }, { ...cart, labels }] }),
    {
      paths: ["apps[1].team", "apps[1].tier", "apps[2].labels"],
    },
  );
  expectRefusal(await put(service, "/registry", { ...cart, labels: { a: 1 }, nope: 1 }), {
    paths: ["labels.a", "nope"],
  });
  expectRefusal(await put(service, "/registry", { apps: [] }), { paths: ["apps"] });
  expectRefusal(await put(service, "/registry", { apps: Array(1_001).fill(cart) }), { paths: ["apps"] });
  expectRefusal(await put(service, "/registry", { apps: [cart], area: "shop" }), { paths: ["area"] });
  expect(await registry(service)).toEqual([]);
});
