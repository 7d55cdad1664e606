import { coversTarget, isInForce, rollUp, type ScoreRecord } from "@maturity/core";
import { excludedInOrder } from "@maturity/core/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { idBy } from "../src/rollups/groups.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { readPage, saveAgedScores, someScores } from "./support/reading.ts";
import { expectSeries, listsOf, readRollUp, seriesOf, seriesOfRollUp } from "./support/roll-up-series.ts";
import { saveScores } from "./support/save-scores.ts";
import {
  createDatabase,
  engines,
  shippedEngine,
  startService,
  type TestService,
  until,
  useService,
} from "./support/service.ts";

const scores = someScores(40);
const names = ["area", "team", "app", "env"] as const;

async function scrape({ server }: Pick<TestService, "server">, query = "", headers: Record<string, string> = {}) {
  const { statusCode, payload } = await server.inject({ url: `/metrics?collect[]=rollups${query}`, headers });
  expect(statusCode, payload).toBe(200);
  return payload;
}

describe.each(engines)("roll-ups as series on %s", (kind) => {
  let service: TestService;
  let records: ScoreRecord[];

  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    records = await saveAgedScores(knex, scores);
  });
  afterAll(() => service.stop());

  test("are those of core and of the lists, whole and of what each filter leaves", async () => {
    const [first] = records;
    if (!first) throw new Error("there are no scores");
    for (const field of [undefined, ...names]) {
      const query = field ? `&${field}=${encodeURIComponent(first[field])}` : "";
      const found = seriesOf(parseExposition(await scrape(service, query)));
      const { as_of } = await readPage(service, "/areas");
      const left = records.filter((record) => !field || record[field] === first[field]);
      const expected = seriesOfRollUp(rollUp(shippedEngine.scorecards, left, new Date(as_of)));
      expect(expected.size).toBeGreaterThan(10);
      expectSeries(found, expected);
      expectSeries(seriesOfRollUp(await readRollUp(listsOf(service), query.replace("&", "?"))), expected);
    }
    expect(parseExposition(await scrape(service, "&app=nobody"))).toEqual([]);
  });

  test("are those of core and of the lists, whatever is waived, and so is what the rules subtract", async () => {
    const waived = await useService({ databaseUrl: await createDatabase(kind) });
    const stored = await saveAgedScores(waived.database.knex, scores);
    const waivers = randomWaivers(stored.length, stored, shippedEngine.scorecards);
    await waived.database.knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(waivers)]);
    const found = seriesOf(parseExposition(await scrape(waived)));
    const at = new Date((await readPage(waived, "/areas")).as_of);
    const rolled = rollUp(shippedEngine.scorecards, stored, at, waivers);
    const expected = seriesOfRollUp(rolled);
    expectSeries(found, expected);
    expectSeries(seriesOfRollUp(await readRollUp(listsOf(waived))), expected);
    expect(rolled.apps.some((app) => app.waived > 0) && rolled.apps.some((app) => app.waived === 0)).toBe(true);
    expect(expected).not.toEqual(seriesOfRollUp(rollUp(shippedEngine.scorecards, stored, at)));

    const { payload } = await waived.server.inject("/metrics?collect[]=waivers");
    const inForce = waivers.filter((waiver) => isInForce(waiver, at));
    const apps = new Map(stored.map((record) => [idBy(names)(record), record]));
    const lines = [...apps.values()].flatMap(({ area, team, app, env }) => {
      const target = { area, team, app, env };
      const own = inForce.filter((waiver) => coversTarget(waiver, target));
      const waivedPlaces = excludedInOrder(shippedEngine.scorecards, own);
      const metrics = shippedEngine.scorecards.flatMap(({ name, metrics }) =>
        metrics.map((metric) => ({ ...target, scorecard: name, metric: metric.name })),
      );
      return metrics.flatMap((labels, place) => (waivedPlaces[place] ? [labels] : []));
    });
    const samples = parseExposition(payload);
    const shown = samples.filter(({ name }) => name === "maturity_metric_waived").map(({ labels }) => labels);
    const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
    expect(sorted(shown)).toEqual(sorted(lines));
    const ends = samples.filter(({ name }) => name === "maturity_waiver_expiry_timestamp_seconds");
    expect(new Map(ends.map(({ labels, value }) => [labels.id, value]))).toEqual(
      new Map(
        inForce.flatMap(({ id, expires_at }) => (expires_at ? [[id, Date.parse(String(expires_at)) / 1_000]] : [])),
      ),
    );
  });

  test("come only where they are asked for, beside what else is asked for", async () => {
    const { payload } = await service.server.inject("/metrics");
    expect(payload).not.toContain("maturity_app_score{");
    const both = parseExposition(await scrape(service, "&collect[]=weights&env=prod"));
    const found = new Set(both.map(({ name }) => name));
    expect(found.has("maturity_metric_weight") && found.has("maturity_app_score")).toBe(true);
    expect(found.has("maturity_score")).toBe(false);
  });

  test("are OpenMetrics, too", async () => {
    const text = await scrape(service, "&env=prod");
    const open = await scrape(service, "&env=prod", { accept: "application/openmetrics-text" });
    expect(open).toBe(`${text}# EOF\n`);
  });
});

test("of a bounded token are those of what is within its bounds", async () => {
  const service = await useService({ auth: "token" });
  await saveScores(service.database.knex, scores);
  const token = createToken();
  const area = scores[0]?.area ?? "";
  const bounds = { area };
  const scopes = ["metrics:read"] as const;
  await insertToken(service.database.knex, {
    name: "one",
    hash: hashToken(token),
    scopes,
    bounds,
  });
  const headers = { authorization: `Bearer ${token}` };
  const samples = parseExposition(await scrape(service, "", headers));
  expect(new Set(samples.map(({ labels }) => labels.area))).toEqual(new Set([area]));
  const { statusCode } = await service.server.inject({ url: "/metrics?collect[]=rollups&area=another", headers });
  expect(statusCode).toBe(403);
});

test("scrapes and lists cost the database one reading together", async () => {
  const service = await useService();
  await saveScores(service.database.knex, scores);
  const readings = () =>
    service.database.knex
      .raw("SELECT sum(seq_scan)::int AS count FROM pg_stat_user_tables WHERE relname = 'scores'")
      .then(({ rows }) => rows[0].count as number);
  const before = await readings();
  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => scrape(service, index % 2 ? "&env=prod" : "")),
    ...Array.from({ length: 10 }, () => readPage(service, "/teams")),
  ]);
  await until(async () => (await readings()) > before); // statistics come late
  expect(await readings()).toBe(before + 1);
});
