import { describe, expect, test } from "vitest";
import type { OpenProblems } from "../src/rollups/organisation.ts";
import { report } from "./support/problem-report.ts";
import { organisationOf } from "./support/read-organisation.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const result = { scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

interface Item {
  readonly app: string;
  readonly problems: OpenProblems;
}

describe.each(engines)("on %s, an application with open problems and without a score", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind) });
  const read = (service: TestService, path: string, query = {}) =>
    readPage<Item>(service, path, { sort: "name", ...query });
  const names = async (...question: Parameters<typeof read>) => (await read(...question)).items.map(({ app }) => app);

  test("stands in /apps in its environment, and has reported", async () => {
    const service = await start();
    await put(service, "/registry", { apps: [cart, { ...cart, app: "silent" }] });
    await post(service, "/score", { ...cart, ...result, env: "test" });
    await waive(service, { ...cart, scorecard: "reliability" });
    await report(service, { severity: "critical" });
    await report(service, { app: "stranger", team: "search" });
    await report(service, { app: "clean", count: 0, details: [] });
    const { items } = await read(service, "/apps", { env: "prod" });
    expect(items).toMatchObject([
      {
        ...{ ...cart, env: "prod", score: null, reported: 0, fresh: 0, scorecards: [], level: null },
        ...{ problems: { critical: 1, high: 0 }, registered: true, oldest_reported_at: null },
        waived: 0.4,
      },
      { team: "search", app: "stranger", score: null, waived: 0, problems: { high: 1 }, registered: false },
    ]);
    expect(await names(service, "/apps", { reported: "true" })).toEqual(["cart", "cart", "stranger"]);
    expect(await names(service, "/apps", { reported: "false" })).toEqual(["silent"]);
    expect(await names(service, "/apps", { team: "search" })).toEqual(["stranger"]);
    expect(await names(service, "/apps", { missing: "reliability.sla", env: "prod" })).toEqual(["stranger"]);
    expect((await readPage<Item>(service, "/search", { q: "stranger" })).items).toMatchObject([{ app: "stranger" }]);
    const [detailed] = (await read(service, "/apps", { app: "stranger", detail: "true" })).items;
    expect(detailed).toMatchObject({ score: null, metrics: expect.any(Array), problems: { high: 1 } });
  });

  test("counts with its problems in its team and its area, as one of which all is waived does", async () => {
    const service = await start();
    for (const app of ["cart", "waived"]) await post(service, "/score", { ...cart, ...result, app, env: "prod" });
    await waive(service, { ...cart, app: "waived", scorecard: "security" });
    for (const app of ["cart", "waived", "unscored"]) await report(service, { app, severity: "critical" });
    await report(service, { team: "search", severity: "critical" });
    await report(service, { env: "test", severity: "critical" });
    await report(service, { area: "other", severity: "critical" });
    const counts = async (path: string, query = {}) =>
      (await read(service, path, query)).items.map(({ problems }) => problems.critical);
    expect((await read(service, "/teams")).items).toMatchObject([
      { team: "checkout", env: "prod", count: 1, problems: { critical: 3, high: 0 } },
    ]);
    expect((await read(service, "/areas")).items).toMatchObject([
      { area: "shop", env: "prod", count: 1, apps: 1, problems: { critical: 4, high: 0 } },
    ]);
    expect(await counts("/teams?app=cart&app=unscored")).toEqual([2]);
    expect(await counts("/areas", { team: "checkout" })).toEqual([3]);
  });

  test("is gone when its problem is resolved, and has a score once it reports a result", async () => {
    const service = await start();
    const organisation = () => organisationOf(service.database, shippedEngine);
    for (const app of ["cart", "pay"]) await report(service, { app });
    expect(await organisation()).toMatchObject({ apps: [], unscored: [{ app: "cart" }, { app: "pay" }] });
    await report(service, { count: 0, details: [] });
    await post(service, "/score", { ...cart, ...result, app: "pay", env: "prod" });
    expect(await organisation()).toMatchObject({ apps: [{ app: "pay", problems: { high: 1 } }], unscored: [] });
  });
});
