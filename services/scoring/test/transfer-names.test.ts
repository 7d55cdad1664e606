import { describe, expect, test } from "vitest";
import { exportRows } from "../src/transfer/export.ts";
import { historyFaults } from "./support/changes.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { engines, type TestService, until } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { collect, importRows, lines, rollUpDay, useServiceOn } from "./support/transfer.ts";
import { waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const dast = { env: "prod", scorecard: "security", metric: "dast" };

const send = (service: TestService, app: object, high = 0, metric = "dast") =>
  post(service, "/score", { ...dast, ...app, metric, raw: { critical: 0, high, medium: 0 } });

async function move(service: TestService, from: object, to: object): Promise<void> {
  expect(await post(service, "/apps/move", { from, to, merge: true })).toMatchObject({ status: 200 });
}

async function retire(service: TestService, app: object): Promise<void> {
  expect(await post(service, "/apps/retire", { ...app, reason: "replaced" })).toMatchObject({ status: 200 });
}

/** The names in each table. */
async function names({ database }: TestService): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of [
    ...["scores", "problems", "apps", "roll_up_targets", "waivers"],
    ...["retired_apps", "retired_scores", "retired_problems", "app_aliases"],
  ]) {
    const { rows } = await database.knex.raw(
      `SELECT DISTINCT concat_ws('/', area, nullif(team, ''), nullif(app, '')) AS name FROM ${table} ORDER BY 1`,
    );
    if (rows.length > 0) found[table] = rows.map(({ name }: { name: string }) => name);
  }
  return found;
}

/** The lines of an export, as they were when it was made. */
const fileOf = async ({ database }: TestService) => lines(...(await collect(database)));

const faults = async ({ database }: TestService) => (await database.knex.raw(historyFaults)).rows;

const appsOf = async ({ server }: TestService) =>
  new Set(
    parseExposition((await server.inject("/metrics")).payload).flatMap(({ labels }) =>
      labels.app ? [labels.app] : [],
    ),
  );

describe.each(engines)("on %s an import", (kind) => {
  const start = () => useServiceOn(kind);

  test("stores rows under a former name as a report would be: under the new one, and says so", async () => {
    const from = await start();
    await send(from, cart, 1);
    await report(from);
    await put(from, "/registry", { ...cart, owner: "Ann" });
    await waive(from, { ...cart, scorecard: "security", metric: "sast", reason: "none", owner: "Ann" });
    await importRows(from.database, lines(rollUpDay, { ...rollUpDay, app: undefined }));
    const file = await fileOf(from);

    const to = await start();
    await put(to, "/registry", cart);
    await move(to, cart, basket);
    await put(to, "/registry", { ...basket, owner: "Bob" });
    expect(await importRows(to.database, file)).toMatchObject({
      ...{ scores: 1, problems: 1, score_changes: 1, roll_up_days: 2, waivers: 1, apps: 0 },
      notes: ["stored shop/checkout/cart as shop/checkout/basket, its name here"],
    });
    const all = ["shop/checkout/basket"];
    expect(await names(to)).toEqual({
      ...{ scores: all, problems: all, apps: all, waivers: all, app_aliases: ["shop/checkout/cart"] },
      roll_up_targets: ["shop/checkout", ...all].toSorted(),
    });
    expect((await readPage(to, "/registry")).items).toMatchObject([{ ...basket, owner: "Bob" }]);
    expect(await faults(to)).toEqual([]);
    expect(await appsOf(to)).toEqual(new Set(["basket"]));
    expect(await send(to, cart, 2)).toMatchObject({ status: 200, body: { moved_to: basket } });
    expect((await readPage(to, "/history", { ...basket, ...dast })).items).toHaveLength(2);
    expect(await report(to)).toMatchObject({ status: 200, moved_to: basket });
    expect((await readPage(to, "/problems")).items).toHaveLength(1);
  });

  test("joins what comes under a former name with what is here under the new one, by the later report", async () => {
    const from = await start();
    const to = await start();
    await send(to, basket, 1);
    await send(from, cart, 2);
    await send(from, cart, 3, "sast");
    await send(to, { ...cart, app: "other" });
    await move(to, { ...cart, app: "other" }, { ...cart, app: "x" });
    await to.database.knex.raw(
      `INSERT INTO app_aliases (area, team, app, to_area, to_team, to_app)
       VALUES ('shop', 'checkout', 'cart', 'shop', 'checkout', 'basket')`,
    );
    const file = await collect(from.database);
    expect(await importRows(to.database, lines(...file))).toMatchObject({ scores: 2, score_changes: 2 });
    expect(await importRows(to.database, lines(...file))).toMatchObject({ scores: 0, score_changes: 0 });
    expect(await faults(to)).toEqual([]);
    const history = (await readPage<{ score: number }>(to, "/history", { ...basket, ...dast })).items;
    expect(history).toHaveLength(2);
    const [{ score: last } = { score: 0 }] = (
      await readPage<{ score: number }>(to, "/scores", { ...basket, metric: "dast" })
    ).items;
    const [{ score: sent } = { score: 1 }] = (await readPage<{ score: number }>(from, "/scores", { metric: "dast" }))
      .items;
    expect(last).toBe(sent);
  });

  test("keeps what the file has of an application that is retired here with it, and says so", async () => {
    const from = await start();
    await send(from, cart);
    await report(from);
    const to = await start();
    await put(to, "/registry", cart);
    await retire(to, cart);
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({
      ...{ scores: 0, problems: 0, retired_scores: 1, retired_problems: 1, score_changes: 1 },
      notes: [expect.stringMatching(/shop\/checkout\/cart .* retired here; maturity apps restore brings it back/)],
    });
    expect(await appsOf(to)).toEqual(new Set());
    expectRefusal(await send(to, cart), { status: 409, code: "app-retired", paths: ["app"] });
    expect(await post(to, "/apps/restore", cart)).toMatchObject({ status: 200, body: { scores: 1, problems: 1 } });
    expect(await appsOf(to)).toEqual(new Set(["cart"]));
    expect((await readPage(to, "/history", { ...cart, ...dast })).items).toHaveLength(1);
    expect(await faults(to)).toEqual([]);
  });

  test("moves and retires what was imported before, as the file says", async () => {
    const from = await start();
    for (const app of ["cart", "gone", "stays"]) await send(from, { ...cart, app });
    const to = await start();
    await importRows(to.database, await fileOf(from));
    await report(to);
    await move(from, cart, basket);
    await retire(from, { ...cart, app: "gone" });
    await send(from, cart, 1);
    await until(async () => (await from.database.knex("app_aliases").whereNotNull("used_at")).length === 1); // noted by and by
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({
      ...{ scores: 1, app_aliases: 1, retired_apps: 1 },
      notes: ["moved shop/checkout/cart to shop/checkout/basket", "retired shop/checkout/gone, as in the file"],
    });
    expect(await names(to)).toEqual({
      scores: ["shop/checkout/basket", "shop/checkout/stays"],
      problems: ["shop/checkout/basket"],
      retired_apps: ["shop/checkout/gone"],
      retired_scores: ["shop/checkout/gone"],
      app_aliases: ["shop/checkout/cart"],
    });
    expect(await faults(to)).toEqual([]);
    const [sent, stored] = [await collect(from.database), await collect(to.database)];
    expect(stored.filter((line) => !line.startsWith('{"table":"problems"')).toSorted()).toEqual(sent.toSorted());
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({
      app_aliases: 0,
      retired_apps: 0,
      notes: [],
    });
  });

  test("leaves in use, and under its name, what was reported here since", async () => {
    const from = await start();
    for (const app of ["cart", "gone"]) await send(from, { ...cart, app });
    await move(from, cart, basket);
    await retire(from, { ...cart, app: "gone" });
    const to = await start();
    for (const app of ["cart", "gone"]) await send(to, { ...cart, app }, 1);
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({
      ...{ app_aliases: 0, retired_apps: 0 },
      notes: [
        "did not move shop/checkout/cart to shop/checkout/basket: it was reported here since",
        "did not retire shop/checkout/gone: it is in use since",
      ],
    });
    expect(await names(to)).toEqual({
      scores: ["shop/checkout/basket", "shop/checkout/cart", "shop/checkout/gone"],
    });
    expect(await faults(to)).toEqual([]);
  });

  test("lets former names lead to the name that their target has here", async () => {
    const from = await start();
    await send(from, cart);
    await move(from, { area: "shop" }, { area: "store" });
    const to = await start();
    await put(to, "/registry", { ...cart, area: "store", app: "index" });
    await move(to, { area: "store" }, { area: "mall" });
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({ scores: 1, app_aliases: 1 });
    expect(await names(to)).toMatchObject({ scores: ["mall/checkout/cart"], app_aliases: ["shop", "store"] });
    expect(await send(to, cart)).toMatchObject({ status: 200, body: { moved_to: { ...cart, area: "mall" } } });
    const back = await start();
    await send(back, { ...cart, area: "store" });
    await move(back, { area: "store" }, { area: "shop" });
    expect(await importRows(back.database, await fileOf(from))).toMatchObject({ app_aliases: 0 });
    expect(await names(back)).toEqual({ scores: ["shop/checkout/cart"], app_aliases: ["store"] });
  });

  test("is audited once, with what it did, and not where it did nothing", async () => {
    const from = await start();
    await send(from, cart);
    const to = await start();
    const file = await collect(from.database);
    const text = () => lines(...[...file, `{"lines":${file.length}}`].map((line) => `${line}\n`));
    await runOn(to.database, ["import", "--area", "shop"], { stdin: text() });
    await runOn(to.database, ["import"], { stdin: text() });
    await runOn(to.database, ["import"], { stdin: lines(`${file[0]}\n`, '{"table":') }).catch(() => {});
    expect((await readPage(to, "/audit")).items).toMatchObject([
      {
        ...{ action: "import.apply", area: "shop", actor: expect.stringMatching(/^maturity-service \(.+\)$/) },
        details: { stored: { scores: 1, problems: 0, score_changes: 1 }, notes: [], areas: ["shop"] },
      },
    ]);
  });

  test("of one area takes the former names that lead to it, and its retired applications", async () => {
    const from = await start();
    for (const area of ["shop", "store"]) for (const app of ["cart", "gone"]) await send(from, { ...cart, area, app });
    for (const area of ["shop", "store"]) await retire(from, { ...cart, area, app: "gone" });
    await move(from, cart, { ...cart, area: "store", app: "basket" });
    const file: string[] = [];
    for await (const line of exportRows(from.database, { areas: ["store"] })) file.push(line);
    const to = await start();
    expect(await importRows(to.database, lines(...file), ["store"])).toMatchObject({ scores: 2, app_aliases: 1 });
    expect(await names(to)).toEqual({
      scores: ["store/checkout/basket", "store/checkout/cart"],
      retired_apps: ["store/checkout/gone"],
      retired_scores: ["store/checkout/gone"],
      app_aliases: ["shop/checkout/cart"],
    });
  });
});
