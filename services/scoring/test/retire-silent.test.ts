import { describe, expect, test } from "vitest";
import { retireSilent } from "../src/apps/retire-silent.ts";
import { findSilent, lockSilent } from "../src/store/moving/retire.ts";
import { useHolder } from "./support/holder.ts";
import { problem } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const dast = { scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

async function done(service: TestService, path: string, body: object): Promise<void> {
  expect(await post(service, path, body)).toMatchObject({ status: path === "/waivers" ? 201 : 200 });
}

/** Lets the reports of some environments be so many days older. */
async function age({ database }: TestService, table: "scores" | "problems", days: number, envs: readonly string[]) {
  await database.knex.raw(
    `UPDATE ${table} SET reported_at = reported_at - make_interval(days => ?::int)
     FROM targets WHERE targets.id = target_id AND env = ANY (?::text[])`,
    [days, [...envs]],
  );
}

const work = ({ database }: TestService, signal = new AbortController().signal) =>
  retireSilent(database, { days: 30, actor: "the daily work", signal });

const envs = async (service: TestService, path: string) =>
  (await readPage<{ env: string }>(service, path)).items.map(({ env }) => env).sort();

describe.each(engines)("silent environments on %s", (kind) => {
  const start = async () => useService({ databaseUrl: await createDatabase(kind) });

  test("are retired and audited, waived and registered ones too, and no others", async () => {
    const service = await start();
    for (const env of ["fresh", "late", "preview", "solved"]) await done(service, "/score", { ...cart, env, ...dast });
    for (const env of ["preview", "solved"]) await done(service, "/problem/scan-result", { ...problem, ...cart, env });
    await put(service, "/registry", cart);
    const terms = { reason: "rebuilt", owner: "ann", kind: "not_applicable", scorecard: "security" };
    await done(service, "/waivers", { ...cart, env: "preview", ...terms });
    await age(service, "scores", 29, ["late"]);
    await age(service, "scores", 31, ["preview", "solved"]);
    await age(service, "problems", 31, ["preview"]);
    expect(await work(service)).toBe(1);
    expect(await work(service)).toBe(0);
    expect(await envs(service, "/scores")).toEqual(["fresh", "late", "solved"]);
    const reason = "nothing was reported for 30 days";
    expect((await readPage(service, "/audit?action=app.retire")).items).toMatchObject([
      { ...cart, env: "preview", actor: "the daily work", details: { scores: 1, problems: 1, reason } },
    ]);
    expect((await readPage(service, "/registry?retired=true")).items).toMatchObject([{ env: "preview", reason }]);
  });

  test("take no reports until they are restored, and stay where they report then", async () => {
    const service = await start();
    const preview = { ...cart, env: "preview" };
    await done(service, "/score", { ...preview, ...dast });
    await age(service, "scores", 31, ["preview"]);
    expect(await work(service)).toBe(1);
    expectRefusal(await post(service, "/score", { ...preview, ...dast }), {
      ...{ status: 409, code: "app-retired", paths: ["env"] },
    });
    await done(service, "/apps/restore", preview);
    await done(service, "/score", { ...preview, ...dast });
    expect(await work(service)).toBe(0);
    expect(await envs(service, "/scores")).toEqual(["preview"]);
  });

  test("of applications that are retired as a whole are left alone", async () => {
    const service = await start();
    await done(service, "/score", { ...cart, env: "prod", ...dast });
    await age(service, "scores", 31, ["prod"]);
    await done(service, "/apps/retire", { ...cart, reason: "replaced" });
    expect(await work(service)).toBe(0);
    await done(service, "/apps/restore", cart);
    expect(await envs(service, "/scores")).toEqual(["prod"]);
  });

  test("are retired whatever their number, by several processes at once, each once", async () => {
    const service = await start();
    const all = Array.from({ length: 120 }, (_, index) => `preview-${index}`);
    await done(service, "/scores", { scores: all.map((env) => ({ ...cart, env, ...dast })) });
    await age(service, "scores", 31, all);
    const stopped = new AbortController();
    stopped.abort();
    await expect(work(service, stopped.signal)).rejects.toMatchObject({ name: "AbortError" });
    const retired = await Promise.all([work(service), work(service)]);
    expect(retired[0] + retired[1]).toBe(120);
    expect(await envs(service, "/scores")).toEqual([]);
    expect((await readPage(service, "/audit?action=app.retire&limit=1")).total).toBe(120);
  });
});

test("an environment that reports while it is retired stays", async () => {
  const service = await useService({});
  const preview = { ...cart, env: "preview" };
  const report = () => done(service, "/score", { ...preview, ...dast });
  await report();
  await age(service, "scores", 31, ["preview"]);
  await service.database.background.transaction(async (trx) => {
    const found = await findSilent(trx, 30, 50);
    expect(found).toMatchObject([preview]);
    await report();
    expect(await lockSilent(trx, 30, found)).toEqual([]);
  });

  await age(service, "scores", 31, ["preview"]);
  const reporting = await useHolder(service.databaseUrl, "UPDATE scores SET reported_at = now()");
  await expect(work(service)).rejects.toMatchObject({ code: "55P03" });
  await reporting.end("COMMIT");
  expect(await work(service)).toBe(0);
  expect(await envs(service, "/scores")).toEqual(["preview"]);
});

test("an environment of which nothing was ever reported is not silent", async () => {
  const service = await useService({});
  await done(service, "/score", { ...cart, env: "preview", ...dast });
  await service.database.knex.raw("DELETE FROM scores");
  expect(await work(service)).toBe(0);
});
