import { createEngine, type Engine, findGain, type ScoredRaw } from "@maturity/core";
import { beforeAll, describe, expect, test } from "vitest";
import { applyPolicy } from "../src/policy/rules.ts";
import type { MetricDetail } from "../src/reading/metric-detail.ts";
import { newScore } from "./support/new-score.ts";
import { readAll, readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, startService, type TestService, useService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

interface Detailed {
  readonly app: string;
  readonly score: number | null;
  readonly reported: number;
  readonly metrics: readonly MetricDetail[];
}

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const toFix = [
  { ...cart, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 6, medium: 12 } },
  { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } },
  { ...cart, scorecard: "reliability", metric: "mttr", raw: { minutes: 2_880 } },
  { ...cart, scorecard: "application", metric: "health_check", raw: { enabled: 0 } },
  { ...cart, scorecard: "application", metric: "stress_test", raw: { error_rate: 0.05, p95_ms: 600, checks_pct: 99 } },
  { ...cart, env: "test", scorecard: "reliability", metric: "sla", raw: { availability_pct: 99 } },
];

const report = async (service: TestService, scores: readonly object[]) =>
  expect((await post(service, "/scores", { scores })).status).toBe(200);
const detailed = (service: TestService) => readAll<Detailed>(service, "/apps?detail=true&sort=name", 1);
const metricOf = ({ metrics }: Detailed, name: string) => metrics.find(({ metric }) => metric === name);

/** What core finds in the metrics that the service shows. */
function expected(engine: Engine, { metrics }: Detailed) {
  const scores: Record<string, ScoredRaw> = {};
  for (const { scorecard, metric, score, raw, reported_at } of metrics) {
    if (score !== undefined && reported_at) scores[`${scorecard}.${metric}`] = { score, raw: { ...raw }, reported_at };
  }
  const waived = metrics.flatMap(({ scorecard, metric, waiver }) => (waiver ? [`${scorecard}.${metric}`] : []));
  return findGain(engine, scores, new Date(), new Set(waived));
}

function expectEqual(engine: Engine, app: Detailed) {
  const { metrics, missing } = expected(engine, app);
  const shown = app.metrics.flatMap(({ scorecard, metric, score, gain }) =>
    gain
      ? [
          {
            ...{ scorecard, metric, score, appGain: gain.app_gain, scorecardGain: gain.scorecard_gain },
            steps: gain.steps.map(({ app_gain: appGain, ...step }) => ({ ...step, appGain })),
          },
        ]
      : [],
  );
  expect(shown.sort((a, b) => b.appGain - a.appGain)).toEqual(metrics);
  const silent = app.metrics.flatMap(({ scorecard, metric, reported_gain: reported }) =>
    reported === undefined ? [] : [{ scorecard, metric, reported }],
  );
  expect(silent.sort((a, b) => b.reported - a.reported)).toEqual(missing);
}

describe("GET /apps?detail=true", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await report(service, toFix);
    return () => service.stop();
  });

  test("shows of each metric what core finds, and nothing of those at 100", async () => {
    const apps = await detailed(service);
    expect(apps).toHaveLength(2);
    for (const app of apps) expectEqual(shippedEngine, app);
    const [prod] = apps as [Detailed];
    expect(metricOf(prod, "secret_scan")).not.toHaveProperty("gain");
    expect(metricOf(prod, "image_scan")?.gain?.steps).toMatchObject([
      { field: "high", from: 6, to: 5, score: 40.61 },
      { field: "medium", from: 12, to: 11 },
    ]);
    expect(metricOf(prod, "health_check")?.gain?.steps).toMatchObject([{ field: "enabled", from: 0, to: true }]);
    expect(metricOf(prod, "sast")).toEqual({
      ...{ scorecard: "security", metric: "sast", weight: 25, state: "missing" },
      reported_gain: expect.closeTo(0.0875, 9),
    });
  });

  test("streams it too", async () => {
    const ndjson = { accept: "application/x-ndjson" };
    const { payload } = await service.server.inject({ url: "/apps?detail=true&env=test", headers: ndjson });
    expectEqual(shippedEngine, JSON.parse(payload));
  });
});

test("the promised points come true, and the promised share reported", async () => {
  const service = await useService();
  await report(service, toFix);
  const one = async () => (await readPage<Detailed>(service, "/apps?detail=true&env=prod")).items[0] as Detailed;
  const before = await one();
  const image = metricOf(before, "image_scan");
  const [step] = image?.gain?.steps ?? [];
  await report(service, [{ ...toFix[0], raw: { critical: 0, high: step?.to, medium: 12 } }]);
  const stepped = await one();
  expect(Number(stepped.score) - Number(before.score)).toBeCloseTo(Number(step?.app_gain), 9);
  await report(service, [{ ...toFix[0], raw: { critical: 0, high: 0, medium: 0 } }]);
  expect(Number((await one()).score) - Number(before.score)).toBeCloseTo(Number(image?.gain?.app_gain), 9);
  await report(service, [{ ...cart, scorecard: "reliability", metric: "sla", raw: { availability_pct: 99 } }]);
  expect((await one()).reported - before.reported).toBeCloseTo(Number(metricOf(before, "sla")?.reported_gain), 9);
});

test("what is waived gains nothing and is not missing, and the others gain by what is left", async () => {
  const service = await useService();
  await report(service, toFix);
  await waive(service, { ...cart, scorecard: "security", metric: "image_scan" });
  await waive(service, { ...cart, scorecard: "security", metric: "sast" });
  await waive(service, { ...cart, scorecard: "reliability" });
  const [prod] = (await detailed(service)) as [Detailed];
  for (const name of ["image_scan", "sast", "mttr", "sla"]) {
    expect(metricOf(prod, name)?.state).toBe("waived");
    expect(metricOf(prod, name)).not.toHaveProperty("gain");
    expect(metricOf(prod, name)).not.toHaveProperty("reported_gain");
  }
  expectEqual(shippedEngine, prod);
});

test("the weights of a policy count", async () => {
  const weights = { security: 100, "application.health_check": 60, "application.stress_test": 40 };
  const { scorecards } = applyPolicy(shippedEngine.scorecards, { weights, maxAgeHours: {} });
  const engine = createEngine(scorecards);
  const service = await useService({ engine });
  await report(service, toFix);
  const [prod] = (await detailed(service)) as [Detailed];
  expectEqual(engine, prod);
  expect(metricOf(prod, "health_check")?.gain).toMatchObject({ scorecard_gain: expect.closeTo(60, 9) });
  expect(metricOf(prod, "health_check")?.gain?.app_gain).toBeCloseTo((60 * 25) / (100 + 40 + 25), 9);
});

test("a result that the rules of today refuse has a gain and no steps", async () => {
  const service = await useService();
  await saveScores(service.database.knex, [newScore({ ...cart, score: 40, raw: { high: "many" } })]);
  const [app] = (await detailed(service)) as [Detailed];
  expect(metricOf(app, "sast")?.gain).toEqual({ app_gain: 60, scorecard_gain: 60, steps: [] });
});

test("of an application that is registered and reported nothing, each metric has its share of the weight", async () => {
  const service = await useService();
  const apps = [{ area: "shop", team: "checkout", app: "silent" }];
  expect((await service.server.inject({ method: "PUT", url: "/registry", payload: { apps } })).statusCode).toBe(200);
  const [app] = (await detailed(service)) as [Detailed];
  expect(app.score).toBeNull();
  const shares = app.metrics.map(({ reported_gain }) => reported_gain ?? Number.NaN);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
});
