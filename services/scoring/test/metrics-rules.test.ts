import { describe, expect, test } from "vitest";
import type { Bounds } from "../src/model/grant.ts";
import { recordedOf } from "../src/policy/recorded.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { storedScores } from "./support/replay.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

describe.each(engines)("the time at which rules changed, on %s", (kind) => {
  const start = async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await service.database.knex.raw("DELETE FROM policies");
    await saveScores(service.database.knex, storedScores(11));
    return service;
  };
  const timesOf = async ({ server }: TestService, query = "") => {
    const { payload } = await server.inject(`/metrics?collect[]=rules${query}`);
    return new Map(parseExposition(payload).map(({ labels, value }) => [labels.area, value]));
  };
  const secondsOf = async ({ database }: TestService, select: string) => {
    const { rows } = await database.knex.raw(
      `SELECT round(extract(epoch FROM max(at)), 3) AS seconds FROM (${select}) AS a`,
    );
    return Number(rows[0].seconds);
  };

  test("is that of the last replay, for a day and an hour, with history and without", async () => {
    const service = await start();
    const { knex } = service.database;
    const { rows } = await knex.raw("SELECT DISTINCT area FROM scores_by_name ORDER BY area");
    const areas = rows.map(({ area }: { area: string }) => area);
    const inAll = (seconds: number) => new Map(areas.map((area: string) => [area, seconds]));
    expect(await timesOf(service)).toEqual(inAll(0));
    await runOn(service.database, ["replay", "--apply"]);
    const applied = await secondsOf(service, "SELECT at FROM score_changes WHERE cause = 'rules'");
    expect(await timesOf(service)).toEqual(inAll(applied));
    expect([...(await timesOf(service, `&area=${encodeURIComponent(areas[1])}&env=prod`))]).toEqual([
      [areas[1], applied],
    ]);
    await knex.raw("UPDATE score_changes SET at = at - interval '25 hours'");
    expect(await timesOf(service)).toEqual(inAll(0));
    await knex.raw("DELETE FROM score_changes"); // as HISTORY_DAYS=0 has it
    expect(await timesOf(service)).toEqual(inAll(applied));
    await knex.raw("UPDATE scores SET changed_at = changed_at - interval '25 hours'");
    expect(await timesOf(service)).toEqual(inAll(0));
  });

  test("is that at which the own rules were recorded after others", async () => {
    const service = await start();
    const { scorecards } = shippedEngine;
    const record = (cards: typeof scorecards) =>
      service.database.knex.raw("INSERT INTO policies (policy) VALUES (?::jsonb)", [
        JSON.stringify(recordedOf({ scorecards: cards, levels: [], applies: [] })),
      ]);
    const seen = async () => [...new Set((await timesOf(service)).values())];
    await record(scorecards);
    expect(await seen()).toEqual([0]);
    await record(scorecards.slice(1));
    expect(await seen()).toEqual([0]);
    await record(scorecards);
    expect(await seen()).toEqual([await secondsOf(service, "SELECT loaded_at AS at FROM policies")]);
    await record(scorecards.slice(1));
    expect(await seen()).toEqual([
      await secondsOf(service, "SELECT loaded_at AS at FROM policies WHERE id < (SELECT max(id) FROM policies)"),
    ]);
  });
});

test("the time at which rules changed is shown of areas that have something within the filter and the bounds", async () => {
  const service = await useService();
  const scored = { env: "prod", scorecard: "security", metric: "secret_scan", raw: { found: false } };
  const [cart, pay] = [
    { area: "shop", team: "checkout", app: "cart" },
    { area: "bank", team: "cards", app: "pay" },
  ];
  for (const name of [cart, pay, { ...pay, team: "loans" }]) await post(service, "/score", { ...scored, ...name });
  const areasOf = async (query: string, ...all: readonly Bounds[]) => {
    const parts = all.map((bounds) => ({ scopes: ["read" as const], bounds }));
    const { payload } = await service.server.inject({
      url: `/metrics?collect[]=rules${query}`,
      auth: { strategy: "grant", credentials: { grant: { name: "ci", caller: "ci", parts }, scope: ["read"] } },
    });
    return parseExposition(payload)
      .map(({ labels }) => labels.area)
      .sort();
  };
  expect(await areasOf("", {})).toEqual(["bank", "shop"]);
  expect(await areasOf("", { team: "checkout" })).toEqual(["shop"]);
  expect(await areasOf("", { app: "pay" })).toEqual(["bank"]);
  expect(await areasOf("", { team: "loans" }, { team: "checkout", app: "pay" })).toEqual(["bank"]);
  expect(await areasOf("&team=checkout", {})).toEqual(["shop"]);
  expect(await areasOf("&env=dev", {})).toEqual([]);
});
