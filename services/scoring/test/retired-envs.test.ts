import { describe, expect, test } from "vitest";
import { ageScores, missDays, writeDays } from "./support/days.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { problem } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const preview = { ...cart, env: "preview" };
const retired = { status: 409, code: "app-retired" };

const scoreOf = (target: object) => ({
  ...{ ...target, scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
});

async function done(service: TestService, path: string, body: object): Promise<object> {
  const { status, body: answer } = await post(service, path, body);
  expect(status).toBe(200);
  return answer;
}

/** The environments that a list or a scrape shows. */
async function envs(service: TestService, path: string): Promise<(string | null)[]> {
  const { items } = await readPage<{ env: string | null }>(service, path);
  return items.map(({ env }) => env).sort();
}

describe.each(engines)("a retired environment on %s", (kind) => {
  /** A service with an application in two environments, of which one is retired. */
  async function useRetired(): Promise<TestService> {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    for (const env of ["prod", "preview"]) {
      await done(service, "/score", scoreOf({ ...cart, env }));
      await done(service, "/problem/scan-result", { ...problem, ...cart, env });
    }
    const dry_run = await done(service, "/apps/retire", { ...preview, reason: "closed", dry_run: true });
    expect(dry_run).toEqual({ ...preview, dry_run: true, scores: 1, problems: 1 });
    expect(await envs(service, "/scores")).toEqual(["preview", "prod"]);
    const answer = await done(service, "/apps/retire", { ...preview, reason: "closed" });
    expect(answer).toEqual({ ...preview, dry_run: false, scores: 1, problems: 1 });
    return service;
  }

  test("is gone from everything that is read, and listed; the others stay", async () => {
    const service = await useRetired();
    for (const path of ["/apps", "/scores", "/problems", "/teams"]) expect(await envs(service, path)).toEqual(["prod"]);
    const series = parseExposition((await service.server.inject("/metrics")).payload);
    expect(new Set(series.flatMap(({ labels }) => labels.env ?? []))).toEqual(new Set(["prod"]));
    expect((await readPage(service, "/registry?retired=true")).items).toMatchObject([
      { ...preview, owner: null, labels: null, registered_at: null, reason: "closed", retired_at: expect.any(String) },
    ]);
    expect((await readPage(service, "/audit?action=app.retire")).items).toMatchObject([preview]);
    // What is registered stays, and other environments can be reported.
    expect(await put(service, "/registry", cart)).toMatchObject({ status: 200, body: { registered: 1 } });
    await done(service, "/score", scoreOf({ ...cart, env: "test" }));
  });

  test("has no recorded days until it is restored", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await done(service, "/score", scoreOf(preview));
    await ageScores(service.database.knex, 3);
    await missDays(service.database.knex, 1);
    await writeDays(service.database);
    const days = async () => (await readPage(service, "/history", preview)).items.length;
    expect(await days()).toBe(1);
    await done(service, "/apps/retire", { ...preview, reason: "closed" });
    expect(await days()).toBe(0);
    await done(service, "/apps/restore", preview);
    expect(await days()).toBe(1);
  });

  test("takes no reports until it is restored, and comes back as it was", async () => {
    const service = await useRetired();
    const message = /^shop\/checkout\/cart \(preview\) is retired; /;
    const refused = { ...retired, paths: ["env"], message };
    expectRefusal(await post(service, "/score", scoreOf(preview)), refused);
    expectRefusal(await post(service, "/problem/scan-result", { ...problem, ...preview }), refused);
    const many = { scores: [scoreOf({ ...cart, env: "prod" }), scoreOf(preview)] };
    expectRefusal(await post(service, "/scores", many), { ...refused, paths: ["scores[1].env"] });
    expectRefusal(await post(service, "/apps/retire", { ...preview, reason: "again" }), refused);
    const answer = await done(service, "/apps/restore", preview);
    expect(answer).toEqual({ ...preview, dry_run: false, scores: 1, problems: 1 });
    await done(service, "/score", scoreOf(preview));
    expect(await envs(service, "/apps")).toEqual(["preview", "prod"]);
    const nothing = { status: 404, code: "not-found", message: /cart \(preview\) is not retired$/ };
    expectRefusal(await post(service, "/apps/restore", preview), nothing);
  });

  test("stays retired while its application is retired and restored, and moved", async () => {
    const service = await useRetired();
    expect(await done(service, "/apps/retire", { ...cart, reason: "replaced" })).toMatchObject({
      scores: 1,
      problems: 1,
    });
    const whole = { ...retired, paths: ["app"], message: /^shop\/checkout\/cart is retired; / };
    for (const path of ["/apps/retire", "/apps/restore"])
      expectRefusal(await post(service, path, { ...preview, ...(path === "/apps/retire" && { reason: "x" }) }), whole);
    expectRefusal(await post(service, "/score", scoreOf(preview)), whole);
    expect(await done(service, "/apps/restore", cart)).toMatchObject({ scores: 1, problems: 1 });
    expect(await done(service, "/apps/move", { from: cart, to: basket })).toMatchObject({ scores: 1, problems: 1 });
    expect(await envs(service, "/scores")).toEqual(["prod"]);
    expectRefusal(await post(service, "/score", scoreOf(preview)), { ...retired, paths: ["env"] });
    await done(service, "/apps/restore", { ...basket, env: "preview" });
    expect(await envs(service, "/scores")).toEqual(["preview", "prod"]);
  });

  test("stops a merge with one that is in use, and comes along where the other application has none", async () => {
    const service = await useRetired();
    await done(service, "/score", scoreOf({ ...basket, env: "preview" }));
    const merge = { from: cart, to: basket, merge: true };
    const message = /^preview of one of the two that would be shop\/checkout\/basket is retired; restore it first$/;
    expectRefusal(await post(service, "/apps/move", merge), { ...retired, paths: ["to"], message });
    const shop = { ...cart, app: "shop" };
    await done(service, "/score", scoreOf({ ...shop, env: "prod" }));
    await done(service, "/apps/move", { ...merge, to: shop });
    expect(await envs(service, "/scores?app=shop")).toEqual(["prod"]);
    await done(service, "/apps/restore", { ...shop, env: "preview" });
    expect(await envs(service, "/scores?app=shop")).toEqual(["preview", "prod"]);
  });

  test("is asked for by the name of one that something is stored of", async () => {
    const service = await useRetired();
    const none = { status: 404, code: "not-found" };
    for (const name of [cart, { ...cart, app: "other" }]) {
      const message = new RegExp(`^nothing is stored or registered of shop/checkout/${name.app} \\(none\\)$`);
      expectRefusal(await post(service, "/apps/retire", { ...name, env: "none", reason: "x" }), { ...none, message });
      expectRefusal(await post(service, "/apps/restore", { ...name, env: "none" }), none);
    }
    expectRefusal(await post(service, "/apps/retire", { ...cart, env: "", reason: "x" }), { paths: ["env"] });
  });
});
