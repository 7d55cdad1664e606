import { describe, expect, test } from "vitest";
import { parseExposition } from "./support/exposition-parser.ts";
import { problem, report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const dast = { env: "prod", scorecard: "security", metric: "dast" };

/** Reports one of two scores: 100, or less. */
const score = (service: TestService, app: object, high = 0, metric = "dast") =>
  post(service, "/score", { ...dast, ...app, metric, raw: { critical: 0, high, medium: 0 } });

const move = (service: TestService, from: object, to: object, more: object = {}) =>
  post(service, "/apps/move", { from, to, ...more });

/** The names by which things are found. */
async function names({ database }: TestService): Promise<Record<string, string[]>> {
  const sources = {
    scores: "scores_by_name",
    problems: "problems_by_name",
    apps: "applications WHERE registered_at IS NOT NULL AND retired_at IS NULL",
    roll_up_targets: "roll_up_targets_by_name",
    waivers: "waivers_by_name",
    retired: "applications WHERE retired_at IS NOT NULL",
  };
  const found: Record<string, string[]> = {};
  for (const [name, source] of Object.entries(sources)) {
    const { rows } = await database.knex.raw(
      `SELECT DISTINCT concat_ws('/', area, team, app) AS name FROM ${source} ORDER BY 1`,
    );
    if (rows.length > 0) found[name] = rows.map(({ name }: { name: string }) => name);
  }
  return found;
}

const series = async ({ server }: TestService) =>
  parseExposition((await server.inject("/metrics")).payload).flatMap(({ labels }) => (labels.app ? [labels.app] : []));

describe.each(engines)("on %s", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind) });

  test("everything of an application gets the new name, and later reports under the old one find it", async () => {
    const service = await start();
    await score(service, cart, 3);
    await report(service);
    await put(service, "/registry", { ...cart, owner: "Ann" });
    await post(service, "/waivers", {
      ...{ kind: "not_applicable", ...cart, scorecard: "security", metric: "sast", reason: "none", owner: "Ann" },
    });
    const plan = { apps: 1, names: [cart], scores: 1, problems: 1, merged: { scores: 0, problems: 0 }, conflicts: [] };
    expect(await move(service, cart, basket, { dry_run: true })).toMatchObject({
      status: 200,
      body: { dry_run: true, from: cart, to: basket, ...plan },
    });
    expect(await names(service)).toMatchObject({ scores: ["shop/checkout/cart"] });
    expect(await move(service, cart, basket)).toMatchObject({ status: 200, body: { dry_run: false, ...plan } });
    const everywhere = ["shop/checkout/basket"];
    expect(await names(service)).toEqual({
      ...{ scores: everywhere, problems: everywhere, apps: everywhere, waivers: everywhere },
    });
    expect(new Set(await series(service))).toEqual(new Set(["basket"]));

    expect(await score(service, cart, 0)).toMatchObject({ status: 200, body: { ...cart, moved_to: basket } });
    expect(await score(service, basket, 0)).toMatchObject({ status: 200, body: basket });
    const many = { scores: [cart, basket].map((app) => ({ ...dast, ...app, raw: { high: 1, medium: 0 } })) };
    const { body } = await post(service, "/scores", many);
    expect(body.scores).toMatchObject([{ ...cart, moved_to: basket }, basket]);
    expect((body.scores as object[])[1]).not.toHaveProperty("moved_to");
    expect(await post(service, "/problem/scan-result", problem)).toMatchObject({ body: { ...cart, moved_to: basket } });
    expect(await put(service, "/registry", cart)).toMatchObject({
      body: { changed: 1, moved: [{ ...cart, moved_to: basket }] },
    });
    expect(await names(service)).toMatchObject({ scores: everywhere, problems: everywhere, apps: everywhere });
    const history = await readPage(service, "/history", { ...basket, ...dast });
    expect(history.items).toHaveLength(3);
    const used = async () => (await readPage<{ used_at: string | null }>(service, "/former-names")).items;
    await until(async () => (await used())[0]?.used_at !== null);
    expect(await used()).toMatchObject([{ ...cart, moved_to: basket }]);
  });

  test("a team moves whole, and its applications that report only later go to the new one too", async () => {
    const service = await start();
    for (const app of ["cart", "pay"]) await score(service, { ...cart, app });
    await score(service, { ...cart, team: "search", app: "index" });
    const to = { area: "store", team: "till" };
    expect(await move(service, { area: "shop", team: "checkout" }, to)).toMatchObject({ body: { apps: 2, scores: 2 } });
    for (const app of ["cart", "new"]) {
      expect(await score(service, { ...cart, app })).toMatchObject({ body: { moved_to: { ...to, app } } });
    }
    expect(await names(service)).toEqual({
      scores: ["shop/search/index", "store/till/cart", "store/till/new", "store/till/pay"],
    });
    expect((await readPage(service, "/former-names")).items).toMatchObject([
      { area: "shop", team: "checkout", app: null, moved_to: { ...to, app: null } },
    ]);
    const former = async (names: Record<string, string>) => (await readPage(service, "/former-names", names)).total;
    expect(await former({ former_area: "shop", former_team: "checkout", former_app: "cart" })).toBe(1);
    expect(await former({ former_area: "shop", former_team: "checkout" })).toBe(1);
    expect(await former({ former_area: "shop", former_team: "search", former_app: "cart" })).toBe(0);
    expect(await former({ former_area: "store", former_team: "till" })).toBe(0);
    expect(await move(service, { area: "store" }, { area: "mall" })).toMatchObject({ status: 200 });
    expect(await score(service, cart)).toMatchObject({
      body: { moved_to: { area: "mall", team: "till", app: "cart" } },
    });
  });

  test("former names collapse, circles are refused, and a merge gives a name back", async () => {
    const service = await start();
    await score(service, cart);
    const [b, c] = [basket, { ...cart, app: "c" }];
    await move(service, cart, b);
    await move(service, b, c);
    expect((await readPage(service, "/former-names")).items).toMatchObject([
      { app: "basket", moved_to: c },
      { app: "cart", moved_to: c },
    ]);
    expectRefusal(await move(service, c, cart), {
      status: 409,
      code: "app-exists",
      paths: ["to"],
      message: /former name/,
    });
    await score(service, { ...cart, app: "other" });
    const stranger = await move(service, { ...cart, app: "other" }, cart, { merge: true });
    expectRefusal(stranger, { status: 409, code: "app-exists", paths: ["to"], message: /circle/ });
    expect(await move(service, c, cart, { merge: true })).toMatchObject({ status: 200 });
    expect((await readPage(service, "/former-names")).items).toMatchObject([
      { app: "basket", moved_to: cart },
      { app: "c", moved_to: cart },
    ]);
    const { body } = await score(service, cart, 1);
    expect(body).not.toHaveProperty("moved_to");
    expect(await score(service, b)).toMatchObject({ body: { moved_to: cart } });
    expect(await names(service)).toEqual({ scores: ["shop/checkout/cart", "shop/checkout/other"] });
  });

  test("a merge keeps the newer report of each metric, and makes one line of both pasts", async () => {
    const service = await start();
    await score(service, cart, 1); // old
    await score(service, basket, 2);
    await score(service, basket, 3);
    await score(service, cart, 4); // newest
    await score(service, cart, 1, "sast");
    await score(service, basket, 2, "image_scan");
    expectRefusal(await move(service, cart, basket), { status: 409, code: "app-exists", paths: ["to"] });
    expect(await move(service, cart, basket, { dry_run: true })).toMatchObject({
      status: 200,
      body: { merged: { scores: 1, problems: 0 }, conflicts: [{ ...basket, kind: "exists" }] },
    });
    const { items: newest } = await readPage<{ score: number }>(service, "/scores", { ...cart, metric: "dast" });
    expect(await move(service, cart, basket, { merge: true })).toMatchObject({ status: 200, body: { conflicts: [] } });
    const { items } = await readPage<{ metric: string; score: number }>(service, "/scores", basket);
    expect(items.map(({ metric }) => metric).sort()).toEqual(["dast", "image_scan", "sast"]);
    expect(items.find(({ metric }) => metric === "dast")?.score).toBe(newest[0]?.score);
    const { items: line } = await readPage<{ former: number | null; score: number }>(service, "/history", {
      ...{ ...basket, ...dast },
    });
    expect(line).toHaveLength(4);
    for (const [place, { former }] of line.entries()) expect(former).toBe(line[place - 1]?.score ?? null);
    expect(line.at(-1)?.score).toBe(newest[0]?.score);
  });

  test("a retired application is gone everywhere, and comes back as it was", async () => {
    const service = await start();
    await score(service, cart, 2);
    await report(service);
    await put(service, "/registry", { ...cart, owner: "Ann" });
    const before = await names(service);
    const { items: scores } = await readPage(service, "/scores", { detail: "true" });
    const retire = (more: object = {}) => post(service, "/apps/retire", { ...cart, reason: "replaced", ...more });
    const amount = { ...cart, scores: 1, problems: 1 };
    expect(await retire({ dry_run: true })).toMatchObject({ status: 200, body: { dry_run: true, ...amount } });
    expect(await names(service)).toEqual(before);
    expect(await retire()).toMatchObject({ status: 200, body: { dry_run: false, ...amount } });
    expect(await series(service)).toEqual([]);
    for (const path of ["/apps", "/scores", "/problems", "/registry"]) {
      expect((await readPage(service, path)).items, path).toEqual([]);
    }
    expect((await readPage(service, "/registry?retired=true")).items).toMatchObject([
      { ...cart, owner: "Ann", reason: "replaced", retired_at: expect.any(String) },
    ]);
    const refusal = { status: 409, code: "app-retired", message: /maturity app restore/ };
    expectRefusal(await score(service, cart), { ...refusal, paths: ["app"] });
    expectRefusal(await put(service, "/registry", { apps: [basket, cart] }), { ...refusal, paths: ["apps[1]"] });
    expectRefusal(await post(service, "/problem/scan-result", problem), { ...refusal, paths: ["app"] });
    expectRefusal(await retire(), { ...refusal, paths: ["app"] });
    expect(await move(service, cart, basket)).toMatchObject({ status: 200, body: { apps: 1 } });
    expectRefusal(await score(service, cart), { ...refusal, paths: ["app"] });
    expect(await post(service, "/apps/restore", basket)).toMatchObject({
      status: 200,
      body: { scores: 1, problems: 1 },
    });
    expect((await readPage(service, "/scores", { detail: "true" })).items).toEqual(
      scores.map((one) => ({ ...(one as object), app: "basket" })),
    );
    expect((await readPage(service, "/history", { ...basket, ...dast })).items).toHaveLength(1);
    expectRefusal(await post(service, "/apps/restore", basket), { status: 404, code: "not-found" });
  });

  test("what is wrong is refused, by the field", async () => {
    const service = await start();
    await score(service, cart);
    const { area, team } = cart;
    expectRefusal(await move(service, { area, app: "cart" }, { area }), { paths: ["from"] });
    expectRefusal(await move(service, cart, { area, team }), { paths: ["to"], message: /same depth/ });
    expectRefusal(await move(service, cart, cart), { paths: ["to"], message: /differ/ });
    expectRefusal(await move(service, { area: 1 }, { ...basket, env: "x" }, { merge: 1 }), {
      paths: ["from.area", "merge", "to.env"],
    });
    expectRefusal(await move(service, basket, cart), { status: 404, code: "not-found", message: /basket/ });
    await move(service, cart, basket);
    expectRefusal(await move(service, cart, { ...cart, app: "x" }), {
      ...{ status: 404, code: "not-found", message: /is called shop\/checkout\/basket now/ },
    });
    expectRefusal(await post(service, "/apps/retire", cart), { paths: ["reason"] });
  });
});
