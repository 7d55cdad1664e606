import { describe, expect, test } from "vitest";
import { endRests, noneWaits, rest } from "./support/alert-rows.ts";
import { ageScores } from "./support/days.ts";
import { problem } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, until, useService } from "./support/service.ts";
import { look, shown, useWatched } from "./support/standings.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

describe.each(engines)("on %s", (kind) => {
  test("each instance looks, and one announces", async () => {
    const databaseUrl = await createDatabase(kind);
    const { service } = await useWatched({ databaseUrl });
    const others = kind === "postgres" ? [(await useWatched({ databaseUrl })).service] : [service];
    await look({ service });
    for (const found of [false, true, false, true]) {
      await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found } });
    }
    const announced = await Promise.all([service, ...others, service, ...others].map((one) => look({ service: one })));
    expect(announced.flat().map(({ type }) => type)).toEqual([
      "level.reached",
      "score.dropped",
      "level.lost",
      "level.reached",
      "score.dropped",
      "level.lost",
    ]);
  });

  test("a level that time took is announced within an hour, and after a change of the rules nothing is", async () => {
    const { service } = await useWatched({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await look({ service });
    await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } });
    expect((await look({ service })).map(shown)).toMatchObject([{ type: "level.reached", from: null, to: "gold" }]);
    await ageScores(knex, 60);
    expect(await look({ service })).toEqual([]);
    await knex.raw("UPDATE levels_compared SET compared_at = compared_at - interval '61 minutes'");
    const [lost, ...more] = await look({ service });
    expect(more).toEqual([]);
    expect(lost).toMatchObject({ type: "level.lost", data: { from: "gold", to: "bronze", next: { name: "silver" } } });

    await knex.raw("UPDATE known_levels SET rank = 3"); // as if other rules had given it
    await knex.raw("INSERT INTO policies (policy) VALUES ('{}')");
    const { rows } = await knex.raw("SELECT max(id) AS id FROM policies");
    expect(await look({ service })).toEqual([]); // an instance with the former rules leaves it alone
    expect(await look({ service, policy: rows[0].id })).toEqual([]);
    expect((await knex.raw("SELECT rank FROM known_levels")).rows).toEqual([{ rank: 1 }]);
  });
});

test("a drop arrives with what fell, and replies stay with the first message", async () => {
  const { service, peer } = await useWatched();
  await look({ service });
  const report = (found: boolean) =>
    post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found } });
  await report(false);
  await report(true);
  await look({ service });
  await until(() => noneWaits(service.databaseUrl));
  const events = peer.requests.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type).sort()).toEqual([
    "maturity.level.lost",
    "maturity.level.reached",
    "maturity.score.dropped",
  ]);
  expect(new Set(events.map(({ subject }) => subject)).size).toBe(1);
  expect(events.find(({ type }) => type === "maturity.score.dropped")).toMatchObject({
    data: {
      ...cart,
      ...{ from: 100, to: 0, level_from: "gold", level_to: null },
      metrics: [{ metric: "security.secret_scan", from: 100, to: 0 }],
    },
  });
});

describe("what waits of one application", () => {
  /** Reports the secrets of applications in turn, looks after every so many turns, and gives the events of each. */
  async function say({ apps, found, each }: { apps: number; found: readonly boolean[]; each: number }) {
    const { service, peer } = await useWatched();
    await look({ service });
    await rest(service.databaseUrl, "", "peer");
    for (const [index, value] of found.entries()) {
      for (let app = 0; app < apps; app++) {
        const result = { scorecard: "security", metric: "secret_scan", raw: { found: value } };
        expect((await post(service, "/score", { ...cart, app: `app-${app}`, ...result })).status).toBe(200);
      }
      if ((index + 1) % each === 0) await look({ service });
    }
    await endRests(service.databaseUrl);
    await until(() => noneWaits(service.databaseUrl));
    const events = peer.requests.map(({ body }) => JSON.parse(body));
    return [...Map.groupBy(events, ({ subject }) => subject).values()].map((own) =>
      own.map(({ type, data: { from, to, reports } }) => [type.replace("maturity.", ""), from, to, reports]),
    );
  }

  const lastReached = [
    ["score.dropped", 100, 0, 1],
    ["level.lost", "gold", null, 1],
    ["level.reached", null, "gold", 2],
  ];

  test("is said in its order, and the last of each type stands for those before it", async () => {
    expect(await say({ apps: 8, found: [false, true, false], each: 3 })).toEqual(Array(8).fill(lastReached));
    expect(await say({ apps: 8, found: [false, true, false, true], each: 4 })).toEqual(
      Array(8).fill([
        ["level.reached", null, "gold", 2],
        ["score.dropped", 100, 0, 2],
        ["level.lost", "gold", null, 2],
      ]),
    );
  });

  test("is said in the same way if it was found by several looks", async () => {
    expect(await say({ apps: 1, found: [false, true, false], each: 1 })).toEqual([lastReached]);
  });
});

test("nothing is noted where no destination may get it", async () => {
  const service = await useService({ chat: { token: "xoxb-1", defaultChannel: "#alerts" } });
  await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } });
  await post(service, "/problem/scan-result", { ...problem, ...cart });
  expect((await service.database.knex.raw("SELECT id FROM reported_changes")).rows).toEqual([]);
});

test("what is held, retired or merged away is announced nowhere", async () => {
  const { service } = await useWatched({ unregistered: "hold" });
  await look({ service });
  const report = (app: string, found: boolean) =>
    post(service, "/score", { ...cart, app, scorecard: "security", metric: "secret_scan", raw: { found } });
  await report("held", false);
  expect(await look({ service })).toEqual([]);
  await service.server.inject({
    method: "PUT",
    url: "/registry",
    headers: { "content-type": "application/json" },
    payload: { apps: ["retired", "gone", "kept"].map((app) => ({ area: "shop", team: "checkout", app })) },
  });
  for (const app of ["retired", "gone"]) await report(app, false);
  const { app: _, env: __, ...group } = cart;
  const retired = await post(service, "/apps/retire", { ...group, app: "retired", reason: "sold" });
  expect(retired.status).toBe(200);
  await report("kept", true);
  const merged = await post(service, "/apps/move", {
    ...{ from: { ...group, app: "gone" }, to: { ...group, app: "kept" }, merge: true },
  });
  expect(merged.status).toBe(200);
  expect((await look({ service })).map(({ app }) => app).filter((app) => app !== "kept")).toEqual([]);
  expect((await service.database.knex.raw("SELECT id FROM reported_changes")).rows).toEqual([]);
});
