import { describe, expect, test } from "vitest";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const applies = [
  { scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } },
  { scorecard: "reliability", when: { tier: ["1", "2"] } },
];
const library = { ...cart, tier: "1", labels: { kind: "library" } };

const scoreOf = (app: string, metric: string, raw: object, env = "prod") => ({
  ...{ ...cart, app, env, scorecard: metric === "sla" ? "reliability" : "security", metric, raw },
});

describe.each(engines)("registering applications, on %s", (kind) => {
  async function useShop(): Promise<TestService> {
    const service = await useService({ databaseUrl: await createDatabase(kind), applies });
    await put(service, "/registry", { apps: ["cart", "list"].map((app) => ({ ...cart, app, tier: "1" })) });
    const scores = ["cart", "list"].flatMap((app) => [
      scoreOf(app, "image_scan", { critical: 1, high: 0, medium: 0 }),
      scoreOf(app, "secret_scan", { found: false }),
      scoreOf(app, "sla", { availability_pct: 99.9 }),
    ]);
    expect(await post(service, "/scores", { scores })).toMatchObject({ status: 200 });
    return service;
  }

  const effect = {
    ...{ rescored: 1, lose_level: 0, exempted: 1 },
    apps: [
      {
        ...{ ...cart, env: "prod" },
        score: { from: expect.any(Number), to: 100 },
        ...{ begins: ["security.image_scan"], ends: [] },
      },
    ],
  };

  test("says with dry_run what the rules make of it, and changes nothing", async () => {
    const service = await useShop();
    const body = { apps: [library, { ...cart, app: "list", tier: "1" }, { ...cart, app: "new", tier: "3" }] };
    const dry = await put(service, "/registry?dry_run=true", body);
    expect(dry).toMatchObject({ status: 200, body: { registered: 1, changed: 1, unchanged: 1, effect } });
    expect((await readPage(service, "/registry")).items).toMatchObject([
      { app: "cart", labels: {} },
      { app: "list", labels: {} },
    ]);
    expect((await readPage(service, "/audit?action=app.register")).total).toBe(1);
    const { rows } = await service.database.knex.raw("SELECT FROM applications WHERE app = 'new'");
    expect(rows).toEqual([]);
  });

  test("moves what it shown, and the audit has it", async () => {
    const service = await useShop();
    const shown = (await put(service, "/registry?dry_run=true", library)).body as { effect: typeof effect };
    const done = await put(service, "/registry", library);
    expect(done.body).toMatchObject({ changed: 1, effect: shown.effect });
    const [entry] = (await readPage<{ details: object }>(service, "/audit?action=app.register")).items;
    expect(entry?.details).toMatchObject({ changed: 1, apps: ["shop/checkout/cart"], effect });
    const [app] = (await readPage<{ score: number }>(service, "/apps?app=cart")).items;
    expect(app?.score).toBeCloseTo(shown.effect.apps[0]?.score.to ?? 0, 9);
    expect((await put(service, "/registry", library)).body).toMatchObject({
      ...{ unchanged: 1, effect: { rescored: 0, lose_level: 0, exempted: 0, apps: [] } },
    });
  });

  test("judges what was moved by its new name, and what exempts no longer counts again", async () => {
    const service = await useShop();
    await put(service, "/registry", library);
    await post(service, "/apps/move", { from: cart, to: { ...cart, app: "basket" } });
    const back = await put(service, "/registry?dry_run=true", { ...cart, tier: "3" });
    expect(back.body).toMatchObject({
      effect: {
        exempted: 1,
        apps: [
          {
            app: "basket",
            begins: expect.arrayContaining(["reliability.sla"]),
            ends: ["security.image_scan"],
          },
        ],
      },
    });
  });

  test("has no effect where no rule reads tiers and labels", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/score", scoreOf("cart", "sla", { availability_pct: 99.9 }));
    expect((await put(service, "/registry?dry_run=true", library)).body).toMatchObject({
      effect: { rescored: 0, exempted: 0, apps: [] },
    });
    expect(await put(service, "/registry?dry_run=maybe", library)).toMatchObject({ status: 400 });
  });
});
