import { coversTarget, freshness, isInForce, rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import { security } from "@maturity/security";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

interface Shares {
  readonly scorecard: string;
  readonly metric: string;
  readonly score: number | null;
  readonly count: number;
  readonly reported: number;
  readonly fresh: number;
  readonly waived: number;
  readonly exempt: number;
}

interface Average extends Shares {
  readonly env: string;
  readonly lowest: number | null;
  readonly p10: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly highest: number | null;
  readonly stale: number;
  readonly apps: number;
  readonly waivers: number;
  readonly organisation_score: number | null;
  readonly gain: number;
}

const { scorecards } = shippedEngine;
const metricIds = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));

describe.each(engines)("the averages of metrics on %s", (kind) => {
  let service: TestService;
  let records: ScoreRecord[];
  let waivers: readonly Waiver[];

  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    records = await saveAgedScores(knex, someScores(40, 11));
    const rows = randomWaivers(11, records, scorecards);
    await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(rows)]);
    waivers = rows.filter(({ created_at }) => created_at !== null);
  });
  afterAll(() => service.stop());

  /** The mean of the areas of an environment, as core rolls them up. */
  function organisationScore(records: readonly ScoreRecord[], env: string, at: Date): number {
    const areas = rollUp(scorecards, records, at, waivers).areas.filter((area) => area.env === env);
    return areas.reduce((sum, { score }) => sum + score, 0) / areas.length;
  }

  /** What is known of a metric of these applications, counted record by record. */
  function sharesOf(isOf: (record: ScoreRecord) => boolean, { scorecard, metric }: Shares, at: Date) {
    const apps = [
      ...new Map(records.filter(isOf).map((one) => [JSON.stringify([one.area, one.team, one.app, one.env]), one])),
    ];
    const covering = apps.map(([, app]) =>
      waivers.filter(
        (waiver) =>
          isInForce(waiver, at) &&
          coversTarget(waiver, app) &&
          waiver.scorecard === scorecard &&
          (waiver.metric ?? metric) === metric,
      ),
    );
    const counting = new Set(apps.filter((_, index) => covering[index]?.length === 0).map(([key]) => key));
    const own = records.filter(
      (one) =>
        one.scorecard === scorecard &&
        one.metric === metric &&
        isOf(one) &&
        counting.has(JSON.stringify([one.area, one.team, one.app, one.env])),
    );
    const declared = scorecards.find(({ name }) => name === scorecard)?.metrics.find(({ name }) => name === metric);
    const fresh = own.filter((one) => freshness(declared ?? {}, one.reported_at, at) !== "stale");
    return {
      scores: own.map(({ score }) => score),
      apps: apps.length,
      reported: counting.size === 0 ? 0 : own.length / counting.size,
      fresh: counting.size === 0 ? 0 : fresh.length / counting.size,
      waived: (apps.length - counting.size) / apps.length,
      scopes: new Set(
        covering.flat().map(({ area, team, app, env, metric }) => JSON.stringify([area, team, app, env, metric])),
      ),
    };
  }

  function expectShares(shown: Shares, expected: ReturnType<typeof sharesOf>) {
    const { scores } = expected;
    expect(shown.count).toBe(scores.length);
    if (scores.length === 0) expect(shown.score).toBeNull();
    else expect(shown.score).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 9);
    for (const share of ["reported", "fresh", "waived"] as const) {
      expect(shown[share], share).toBeCloseTo(expected[share], 12);
    }
    expect(shown.exempt).toBe(0);
  }

  test("cost what core rolls up with each metric at 100, and count what was reported", async () => {
    const { items, as_of, total } = await readPage<Average>(service, "/metric-averages");
    const at = new Date(as_of);
    expect(total).toBe(2 * metricIds.length);
    expect(items.filter(({ waivers }) => waivers > 0).length).toBeGreaterThan(0);
    for (const item of items) {
      const { env, scorecard, metric, gain, organisation_score } = item;
      const now = organisationScore(records, env, at);
      const best = records.map((one) =>
        one.scorecard === scorecard && one.metric === metric ? { ...one, score: 100 } : one,
      );
      expect(organisation_score).toBeCloseTo(now, 9);
      expect(gain).toBeCloseTo(organisationScore(best, env, at) - now, 9);

      const expected = sharesOf((one) => one.env === env, item, at);
      expectShares(item, expected);
      expect([item.apps, item.waivers]).toEqual([expected.apps, expected.scopes.size]);
      expect(item.stale).toBeCloseTo(expected.reported - expected.fresh, 12);
      const { rows } = await service.database.knex.raw(
        `SELECT percentile_cont(ARRAY[0, 0.1, 0.5, 0.9, 1]) WITHIN GROUP (ORDER BY score) AS spread
         FROM unnest(?::float8[]) AS score`,
        [expected.scores],
      );
      const { lowest, p10, median, p90, highest } = item;
      for (const [index, value] of [lowest, p10, median, p90, highest].entries()) {
        if (expected.scores.length === 0) expect(value).toBeNull();
        else expect(value).toBeCloseTo(rows[0].spread[index], 9);
      }
    }
    const gains = items.map(({ gain }) => gain);
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    for (const env of ["prod", "staging"]) {
      const all = items.filter((item) => item.env === env);
      const whole = organisationScore(
        records.map((one) => ({ ...one, score: 100 })),
        env,
        at,
      );
      const sum = all.reduce((sum, { gain }) => sum + gain, 0);
      expect(sum + organisationScore(records, env, at)).toBeCloseTo(whole, 9);
    }
  });

  test("are those of the applications that the filters leave", async () => {
    const { area = "", team = "" } = records[0] ?? {};
    const { items, as_of } = await readPage<Average>(service, "/metric-averages", { area, team, env: "prod" });
    const teams = await readPage<{ score: number; metrics: Shares[] }>(service, "/teams", {
      ...{ area, team, env: "prod" },
      metrics: "true",
    });
    expect(items).toHaveLength(metricIds.length);
    for (const item of items) {
      const isOf = (one: ScoreRecord) => one.area === area && one.team === team && one.env === "prod";
      expectShares(item, sharesOf(isOf, item, new Date(as_of)));
      expect(item.organisation_score).toBeCloseTo(Number(teams.items[0]?.score), 9);
      const own = teams.items[0]?.metrics.find((one) => one.metric === item.metric && one.scorecard === item.scorecard);
      const { scorecard, metric, score, count, reported, fresh, waived, exempt } = item;
      expect(own).toEqual({ scorecard, metric, score, count, reported, fresh, waived, exempt });
    }
    const ofMetric = await readPage<Average>(service, "/metric-averages", { metric: "sast", env: "prod" });
    expect(ofMetric.items).toMatchObject([{ scorecard: "security", metric: "sast" }]);
    const ofScorecard = await readPage<Average>(service, "/metric-averages?scorecard=security&env=prod&sort=name");
    expect(ofScorecard.items.map(({ metric }) => metric)).toEqual(security.metrics.map(({ name }) => name));
  });

  test("are on each team, in JSON and in CSV", async () => {
    const teams = await readAll<{ area: string; team: string; env: string; metrics: Shares[]; gains?: object }>(
      service,
      "/teams?metrics=true&detail=true&sort=name",
      3,
    );
    const { as_of } = await readPage(service, "/teams");
    expect(teams.length).toBeGreaterThan(3);
    for (const { area, team, env, metrics, gains } of teams) {
      expect(gains).toBeDefined();
      expect(metrics.map(({ scorecard, metric }) => `${scorecard}.${metric}`)).toEqual(metricIds);
      const isOf = (one: ScoreRecord) => one.area === area && one.team === team && one.env === env;
      for (const own of metrics) expectShares(own, sharesOf(isOf, own, new Date(as_of)));
    }
    const url = "/teams?metrics=true&sort=name";
    const { payload } = await service.server.inject({ url, headers: { accept: "text/csv" } });
    const [head = "", first = ""] = payload.split("\r\n");
    expect(head.split(",").slice(-metricIds.length - 1)).toEqual([...metricIds, "day"]);
    const scores = teams[0]?.metrics.map(({ score }) =>
      Number.isInteger(score) ? `${score}` : (score?.toFixed(2) ?? ""),
    );
    expect(first.split(",").slice(-metricIds.length - 1, -1)).toEqual(scores);
  });

  test.each(["gain", "score", "-score", "reported", "name"])("page by page in the order of %s", async (sort) => {
    const { items } = await readPage<Average>(service, "/metric-averages", { sort, limit: 1_000 });
    expect(await readAll<Average>(service, `/metric-averages?sort=${sort}`, 4)).toEqual(items);
  });
});

test("without a score that counts there are no points and no spread", async () => {
  const service = await useService();
  const problem = { area: "shop", team: "checkout", app: "cart", env: "prod", problem_type: "secret" };
  expect((await post(service, "/problem/scan-result", { ...problem, severity: "high", count: 1 })).status).toBe(200);
  const { items } = await readPage<Average>(service, "/metric-averages?metric=security.dast");
  const none = { score: null, lowest: null, p10: null, median: null, p90: null, highest: null };
  expect(items).toMatchObject([{ ...none, count: 0, apps: 1, reported: 0, gain: 0, organisation_score: null }]);
});
