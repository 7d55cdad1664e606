import { describe, expect, test } from "vitest";
import { exportRows } from "../src/transfer/export.ts";
import { historyFaults } from "./support/changes.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { engines, type TestService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { collect, importRows, lines, useServiceOn } from "./support/transfer.ts";

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

/** The names of what is stored. */
async function names({ database }: TestService): Promise<Record<string, string[]>> {
  const sources = {
    ...{ scores: "scores_by_name", problems: "problems_by_name", waivers: "waivers_by_name" },
    ...{ days: "roll_up_targets_by_name", former: "former_names" },
    retired: "applications WHERE retired_at IS NOT NULL",
  };
  const found: Record<string, string[]> = {};
  for (const [name, source] of Object.entries(sources)) {
    const { rows } = await database.knex.raw(
      `SELECT DISTINCT concat_ws('/', area, nullif(team, ''), nullif(app, '')) AS name FROM ${source} ORDER BY 1`,
    );
    if (rows.length > 0) found[name] = rows.map(({ name }: { name: string }) => name);
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

  test("takes former names, retired applications and retired environments along, and reports go on from there", async () => {
    const from = await start();
    for (const app of ["cart", "gone", "stays"]) await send(from, { ...cart, app });
    await send(from, { ...cart, app: "stays", env: "test" });
    await report(from);
    await put(from, "/registry", { ...cart, app: "gone", owner: "Ann" });
    await move(from, cart, basket);
    await retire(from, { ...cart, app: "gone" });
    await send(from, cart, 1);
    expect(await post(from, "/apps/retire", { ...cart, app: "stays", env: "test", reason: "closed" })).toMatchObject({
      status: 200,
    });
    const to = await start();
    expect(await importRows(to.database, await fileOf(from))).toMatchObject({
      ...{ scores: 4, problems: 1, former_names: 1, apps: 1, retired_envs: 1 },
    });
    expect(await names(to)).toEqual(await names(from));
    expect((await collect(to.database)).toSorted()).toEqual((await collect(from.database)).toSorted());
    expect(await faults(to)).toEqual([]);
    expectRefusal(await send(to, { ...cart, app: "stays", env: "test" }), {
      ...{ status: 409, code: "app-retired", paths: ["env"] },
    });
    expect(await appsOf(to)).toEqual(new Set(["basket", "stays"]));
    expect(await send(to, cart, 2)).toMatchObject({ status: 200, body: { moved_to: basket } });
    expect((await readPage(to, "/history", { ...basket, ...dast })).items).toHaveLength(3);
    const gone = { ...cart, app: "gone" };
    expectRefusal(await send(to, gone), { status: 409, code: "app-retired", paths: ["app"] });
    expect(await post(to, "/apps/restore", gone)).toMatchObject({ status: 200, body: { scores: 1 } });
    expect((await readPage(to, "/registry")).items).toMatchObject([{ ...gone, owner: "Ann" }]);
    expect((await readPage(to, "/history", { ...gone, ...dast })).items).toHaveLength(1);
    expect(await faults(to)).toEqual([]);
  });

  test("is refused where a name of the file is a former one here, or a former one of the file is in use here", async () => {
    const from = await start();
    await send(from, { ...cart, area: "mall" });
    await send(from, { ...cart, area: "mall", app: "till" });
    const file = await collect(from.database);
    await move(from, { ...cart, area: "mall" }, { ...cart, area: "store" });
    const moved: string[] = [];
    for await (const line of exportRows(from.database, ["store"])) moved.push(line);

    const to = await start();
    await importRows(to.database, lines(...moved));
    const before = await names(to);
    await expect(importRows(to.database, lines(...file))).rejects.toThrow(
      /^line \d: mall\/checkout\/cart is a former name, in the file or in this store; nothing was imported$/,
    );
    expect(await names(to)).toEqual(before);

    const used = await start();
    await importRows(used.database, lines(...file));
    await expect(importRows(used.database, lines(...moved))).rejects.toThrow(
      /^line 1: mall\/checkout\/cart is in use in this store, so it cannot become a former name; nothing was imported$/,
    );
    expect(await names(used)).toEqual({ scores: ["mall/checkout/cart", "mall/checkout/till"] });
  });

  test("takes an area whose application has left for one that is here, whichever of the two comes first", async () => {
    const from = await start();
    for (const app of ["cart", "till"]) await send(from, { ...cart, app });
    await move(from, cart, { ...cart, area: "store" });
    const file = await collect(from.database);
    const orders = [
      ["shop", "store"],
      ["store", "shop"],
    ];
    for (const order of orders) {
      const to = await start();
      for (const area of order) await importRows(to.database, lines(...file), [area]);
      expect(await names(to)).toEqual(await names(from));
      expect(await send(to, cart)).toMatchObject({ status: 200, body: { moved_to: { ...cart, area: "store" } } });
    }
  });

  test("is audited once, with what it did, and not where it did nothing", async () => {
    const from = await start();
    await send(from, cart);
    const to = await start();
    const file = await collect(from.database);
    const text = () => lines(...[...file, `{"lines":${file.length}}`].map((line) => `${line}\n`));
    await runOn(to.database, ["import"], { stdin: lines('{"lines":0}\n') });
    await runOn(to.database, ["import"], { stdin: lines(`${file[0]}\n`, '{"table":') }).catch(() => {});
    await runOn(to.database, ["import", "--area", "shop"], { stdin: text() });
    await runOn(to.database, ["import"], { stdin: text() }).catch(() => {});
    expect((await readPage(to, "/audit")).items).toMatchObject([
      {
        ...{ action: "import.apply", area: "shop", actor: expect.stringMatching(/^maturity-service \(.+\)$/) },
        details: { stored: { scores: 1, problems: 0, score_changes: 1 }, areas: ["shop"] },
      },
    ]);
  });

  test("of one area takes the former names that lead to it, and its retired applications", async () => {
    const from = await start();
    for (const area of ["shop", "store"]) for (const app of ["cart", "gone"]) await send(from, { ...cart, area, app });
    for (const area of ["shop", "store"]) await retire(from, { ...cart, area, app: "gone" });
    await move(from, cart, { ...cart, area: "store", app: "basket" });
    const file: string[] = [];
    for await (const line of exportRows(from.database, ["store"])) file.push(line);
    const to = await start();
    expect(await importRows(to.database, lines(...file), ["store"])).toMatchObject({ scores: 3, former_names: 1 });
    expect(await names(to)).toEqual({
      scores: ["store/checkout/basket", "store/checkout/cart"],
      retired: ["store/checkout/gone"],
      former: ["shop/checkout/cart"],
    });
  });
});
