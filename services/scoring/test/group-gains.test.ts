import { rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShownGains } from "../src/reading/group-gains.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { readAll, readPage, saveAgedScores, someScores } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import {
  createDatabase,
  engines,
  shippedEngine,
  startService,
  type TestService,
  useService,
} from "./support/service.ts";

interface Group {
  readonly area: string;
  readonly team?: string;
  readonly env: string;
  readonly score: number;
  readonly gains: ShownGains;
}

const { scorecards } = shippedEngine;

describe.each(engines)("gains of teams and areas on %s", (kind) => {
  let service: TestService;
  let records: ScoreRecord[];
  let waivers: readonly Waiver[];

  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    records = await saveAgedScores(knex, someScores(40, 7));
    const rows = randomWaivers(7, records, scorecards);
    await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(rows)]);
    waivers = rows.filter(({ created_at }) => created_at !== null);
  });
  afterAll(() => service.stop());

  const isOf = (group: Group) => (record: ScoreRecord) =>
    record.area === group.area && record.env === group.env && (group.team ?? record.team) === record.team;

  /** The score of a group if these records score 100, rolled up from the records by core. */
  function scoreWith(level: "teams" | "areas", group: Group, asOf: string, isBest: (record: ScoreRecord) => boolean) {
    const changed = records.filter(isOf(group)).map((one) => (isBest(one) ? { ...one, score: 100 } : one));
    const [found] = rollUp(scorecards, changed, new Date(asOf), waivers)[level];
    return Number(found?.score);
  }

  test.each(["teams", "areas"] as const)("of %s are what core rolls up with each metric at 100", async (level) => {
    const { items, as_of } = await readPage<Group>(service, `/${level}`, { detail: "true", limit: 50 });
    expect(items.length).toBeGreaterThan(3);
    for (const group of items) {
      const expected = scorecards.flatMap(({ name, metrics }) =>
        metrics.map((metric) => {
          const isBest = (one: ScoreRecord) => one.scorecard === name && one.metric === metric.name;
          return { name: `${name}.${metric.name}`, gain: scoreWith(level, group, as_of, isBest) - group.score };
        }),
      );
      for (const { name, gain } of expected) {
        const shown = group.gains.metrics.find(({ scorecard, metric }) => `${scorecard}.${metric}` === name);
        expect(shown?.gain ?? 0, name).toBeCloseTo(gain, 9);
      }
      const whole = scoreWith(level, group, as_of, () => true) - group.score;
      expect(group.gains.metrics.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(whole, 9);
      for (const { team, app, gain, app_gain } of group.gains.apps) {
        const isOwn = (one: ScoreRecord) => one.team === team && one.app === app;
        expect(scoreWith(level, group, as_of, isOwn) - group.score).toBeCloseTo(gain, 9);
        expect(app_gain).toBeGreaterThanOrEqual(gain);
      }
      const gains = group.gains.metrics.map(({ gain }) => gain);
      expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    }
  });

  test("name the applications that gain, as the list of applications has them", async () => {
    const teams = await readAll<Group & { team: string }>(service, "/teams?detail=true", 3);
    for (const { area, team, env, gains } of teams) {
      interface App {
        readonly app: string;
        readonly metrics: readonly { scorecard: string; metric: string; gain?: { app_gain: number } }[];
      }
      const query = { area, team, env, detail: "true", limit: 50 };
      const { items: apps } = await readPage<App>(service, "/apps", query);
      for (const { scorecard, metric, apps: shares, count } of gains.metrics) {
        const expected = apps.flatMap(({ app, metrics }) => {
          const found = metrics.find((one) => one.scorecard === scorecard && one.metric === metric);
          return found?.gain ? [{ app, app_gain: found.gain.app_gain }] : [];
        });
        expect(count).toBe(expected.length);
        expect(shares).toHaveLength(Math.min(count, 10));
        for (const { app, app_gain } of shares) {
          expect(expected.find((one) => one.app === app)?.app_gain).toBeCloseTo(app_gain, 9);
        }
      }
    }
  });
});

test("what reported everything at 100 gains nothing, and without detail nothing is said", async () => {
  const service = await useService();
  const best = { area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security" };
  const scores = [{ ...best, metric: "secret_scan", raw: { found: false } }];
  expect((await post(service, "/scores", { scores })).status).toBe(200);
  const { items } = await readPage<Group>(service, "/teams", { detail: "true" });
  expect(items).toMatchObject([{ score: 100, gains: { metrics: [], count: 0, apps: [] } }]);
  expect((await readPage<Group>(service, "/areas")).items[0]).not.toHaveProperty("gains");
  const { statusCode } = await service.server.inject("/teams?detail=true&limit=51");
  expect(statusCode).toBe(400);
  const { payload } = await service.server.inject({ url: "/teams?detail=true", headers: { accept: "text/csv" } });
  expect(payload.split("\r\n")[0]).toMatch(/,gains,day$/);
});
