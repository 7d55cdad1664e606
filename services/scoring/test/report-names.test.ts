import { describe, expect, test } from "vitest";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const dast = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

async function names({ database }: Pick<TestService, "database">): Promise<string[]> {
  const { rows } = await database.knex.raw(
    "SELECT applications.app || '/' || env AS name FROM targets RIGHT JOIN applications ON applications.id = application_id ORDER BY 1",
  );
  return rows.map(({ name }: { name: string }) => name);
}

describe.each(engines)("on %s", (kind) => {
  test("an application is made with the first report of it, and not by one that is refused", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const save = createScoreWriter(service.database.knex);
    await expect(save([newScore({ app: "refused", score: 101 })])).rejects.toThrow();
    expect(await names(service)).toEqual([]);
    await save([newScore({ app: "stored" })]);
    expect(await names(service)).toEqual(["stored/prod"]);
  });

  test("a batch with a retired application makes none of the others", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/score", { ...cart, ...dast });
    await post(service, "/apps/retire", { ...cart, reason: "gone" });
    const scores = [
      { ...cart, app: "new", ...dast },
      { ...cart, ...dast, env: "staging" },
    ];
    expectRefusal(await post(service, "/scores", { scores }), {
      ...{ status: 409, code: "app-retired", paths: ["scores[1].app"] },
    });
    expect(await names(service)).toEqual(["cart/prod"]);
  });

  test("when a former name was last used is noted with the report, at most once a minute", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/score", { ...cart, ...dast });
    await post(service, "/apps/move", { from: cart, to: { ...cart, app: "basket" } });
    const usedAt = async () => {
      const { payload } = await service.server.inject("/former-names");
      return JSON.parse(payload).items.map(({ used_at }: { used_at: string | null }) => used_at);
    };
    expect(await usedAt()).toEqual([null]);
    await post(service, "/score", { ...cart, ...dast });
    const [first] = await usedAt();
    expect(first).toEqual(expect.any(String));
    await post(service, "/score", { ...cart, ...dast });
    await report(service, cart);
    expect(await usedAt()).toEqual([first]);
  });

  test("a report that is refused, because its application is retired, uses no former name", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/score", { ...cart, ...dast });
    await post(service, "/apps/move", { from: cart, to: { ...cart, app: "basket" } });
    await post(service, "/apps/retire", { area: cart.area, team: cart.team, app: "basket", reason: "gone" });
    expect(await post(service, "/score", { ...cart, ...dast })).toMatchObject({ status: 409 });
    const { rows } = await service.database.knex.raw("SELECT used_at FROM names WHERE app = ?", [cart.app]);
    expect(rows).toEqual([{ used_at: null }]);
  });
});

test("instances that report of one new application at once make one", async () => {
  const databaseUrl = await createDatabase("postgres");
  const services = [await useService({ databaseUrl }), await useService({ databaseUrl })];
  const metrics = ["dast", "sast", "secret_scan", "image_scan"];
  const writers = services.map(({ database }) => createScoreWriter(database.knex));
  await Promise.all(
    writers.flatMap((save) => [
      ...metrics.map((metric) => save([newScore({ metric })])),
      ...metrics.map((metric) => save([newScore({ metric, env: "staging" })])),
    ]),
  );
  const { rows } = await query(databaseUrl, "SELECT count(*)::int AS scores FROM scores");
  expect(rows).toEqual([{ scores: 8 }]);
  expect(await names(services[0] as TestService)).toEqual(["app/prod", "app/staging"]);
});

test("a report that meets a merge is stored under the application that is left", async () => {
  const service = await useService();
  const { databaseUrl } = service;
  for (const app of ["cart", "basket"]) await post(service, "/score", { ...cart, app, ...dast });
  const idOf = (app: string) => `(SELECT id FROM applications WHERE app = '${app}')`;
  const merge = await useHolder(
    databaseUrl,
    `DELETE FROM scores WHERE target_id = (SELECT target_id FROM scores_by_name WHERE app = 'cart');
     UPDATE names SET application_id = ${idOf("basket")} WHERE app = 'cart';
     DELETE FROM targets WHERE application_id = ${idOf("cart")};
     DELETE FROM applications WHERE app = 'cart'`,
  );
  const sent = post(service, "/score", { ...cart, ...dast });
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await query(databaseUrl, waiting)).rowCount === 1);
  await merge.end("COMMIT");
  expect(await sent).toMatchObject({ status: 200, body: { moved_to: { ...cart, app: "basket" } } });
  expect(await names(service)).toEqual(["basket/prod"]);
});
