import { rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import { excludedInOrder, isExempt } from "@maturity/core/wire";
import { describe, expect, test } from "vitest";
import type { AppChange } from "../src/history/changes.ts";
import { waiverColumns } from "../src/store/waivers.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { exemptionsBy, randomApplies, registerRows } from "./support/random-applies.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { readAll, readPage, someScores } from "./support/reading.ts";
import { expectSeries, listsOf, readRollUp, seriesOf, seriesOfRollUp } from "./support/roll-up-series.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, useService } from "./support/service.ts";

const { scorecards } = shippedEngine;
const scores = someScores(40);
const reported: ScoreRecord[] = scores.map((score) => ({ ...score, reported_at: new Date() }));

const stored =
  "SELECT area, team, app, env, scorecard, metric, score::float8 AS score, date_trunc('milliseconds', reported_at) AS reported_at FROM scores_by_name";

interface ListedScore extends ScoreRecord {
  readonly state: string;
  readonly exempt_because: string | null;
}

describe.each(engines)("what rules exempt and waivers waive, on %s", (kind) => {
  test.each([1, 2, 3, 4])("is in every list and series what core says (%i)", async (seed) => {
    const { applies, registry } = randomApplies(seed, scores, scorecards);
    const service = await useService({ databaseUrl: await createDatabase(kind), applies });
    const { knex } = service.database;
    await saveScores(knex, scores);
    await knex.raw(registerRows.replace("$1", "?"), [JSON.stringify(registry)]);
    await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(randomWaivers(seed, reported, scorecards))]);

    const at = new Date((await readPage(service, "/areas")).as_of);
    const { rows: records }: { rows: ScoreRecord[] } = await knex.raw(stored);
    const { rows: waivers }: { rows: Waiver[] } = await knex.raw(`SELECT ${waiverColumns} FROM waivers_by_name`);
    const exemptionsOf = exemptionsBy(applies, registry, at);
    const rolled = rollUp(scorecards, records, at, waivers, exemptionsOf);
    expect(rolled.apps.some(({ exempt }) => exempt > 0)).toBe(true);

    const expected = seriesOfRollUp(rolled);
    expectSeries(seriesOfRollUp(await readRollUp(listsOf(service))), expected);
    const { payload } = await service.server.inject("/metrics?collect[]=rollups");
    expectSeries(seriesOf(parseExposition(payload)), expected);

    const exempt = [...new Map(records.map((one) => [[one.area, one.team, one.app, one.env].join(), one])).values()]
      .flatMap(({ area, team, app, env }) => {
        const by = excludedInOrder(scorecards, exemptionsOf({ area, team, app, env }));
        const metrics = scorecards.flatMap(({ name, metrics }) =>
          metrics.map((metric) => ({ area, team, app, env, scorecard: name, metric: metric.name })),
        );
        return metrics.filter((_, index) => by[index]).map((labels) => JSON.stringify(Object.values(labels)));
      })
      .sort();
    const scrape = await service.server.inject("/metrics?collect[]=waivers");
    const shown = parseExposition(scrape.payload)
      .filter(({ name }) => name === "maturity_metric_exempt")
      .map(({ labels: { area, team, app, env, scorecard, metric } }) =>
        JSON.stringify([area, team, app, env, scorecard, metric]),
      )
      .sort();
    expect(shown).toEqual(exempt);

    for (const { state, exempt_because, ...score } of await readAll<ListedScore>(service, "/scores", 1_000)) {
      const [by] = exemptionsOf(score).filter(
        (one) => one.scorecard === score.scorecard && (one.metric ?? score.metric) === score.metric,
      );
      expect(exempt_because).toBe(by?.reason ?? null);
      if (by && isExempt(by)) expect(state).toBe(by.exempt);
      else expect(["fresh", "late", "stale"]).toContain(state);
    }
    const narrowed = await readAll<ListedScore>(service, "/scores?state=announced&state=not_applicable", 1_000);
    expect(narrowed.every(({ state }) => state === "announced" || state === "not_applicable")).toBe(true);
  });
});

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const applies = [
  { scorecard: "reliability", metric: "sla", when: { labels: { kind: ["service"] } } },
  { scorecard: "security", metric: "dast", from: "2999-01-01" },
];

test("an application shows each metric that is exempt with its reason, without gain, and levels ask nothing of it", async () => {
  const levels = [{ name: "steady", metrics: { "reliability.sla": 90, "security.dast": 90 } }];
  const service = await useService({ applies, levels });
  await saveScores(service.database.knex, [
    { ...scores[0], ...cart, scorecard: "reliability", metric: "sla", score: 0 } as (typeof scores)[number],
    { ...scores[0], ...cart, scorecard: "reliability", metric: "mttr", score: 80 } as (typeof scores)[number],
  ]);
  const register = (labels: object) =>
    service.server.inject({ method: "PUT", url: "/registry", payload: { ...cart, env: undefined, labels } });
  await register({ kind: "batch" });
  const { items } = await readPage<{ level: object; metrics: { metric: string }[] }>(service, "/apps", {
    detail: "true",
  });
  expect(items).toMatchObject([{ score: 80, level: { name: "steady" } }]);
  const metricOf = (name: string) => items[0]?.metrics.find(({ metric }) => metric === name);
  expect(metricOf("sla")).toMatchObject({
    ...{ state: "not_applicable", exempt_because: "not for kind=batch, by policy", score: 0 },
  });
  expect(metricOf("sla")).not.toHaveProperty("gain");
  expect(metricOf("dast")).toMatchObject({ state: "announced", exempt_because: "counts from 2999-01-01, by policy" });
  expect(metricOf("dast")).not.toHaveProperty("reported_gain");
  expect(metricOf("mttd")).toMatchObject({ state: "missing" });

  await register({ kind: "service" });
  const { items: after } = await readPage<object>(service, "/apps", { detail: "true" });
  expect(after).toMatchObject([{ level: { name: null } }]);
});

test("a table has the exempt share, of the whole and of each scorecard", async () => {
  const service = await useService({ applies });
  await saveScores(service.database.knex, scores);
  for (const path of ["/apps", "/teams", "/areas"]) {
    const { payload } = await service.server.inject({ url: path, headers: { accept: "text/csv" } });
    expect(payload.split("\n")[0]?.split(",")).toEqual(
      expect.arrayContaining(["exempt", "security_exempt", "reliability_exempt"]),
    );
  }
});

describe.each(engines)("a changed label, on %s", (kind) => {
  test("moves the score at once by the policy, which recorded days stay out of", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind), applies });
    const { knex } = service.database;
    const old = { reported_at: new Date(0) };
    await saveScores(knex, [
      { ...scores[0], ...cart, ...old, scorecard: "reliability", metric: "sla", score: 20 } as (typeof scores)[number],
      { ...scores[0], ...cart, ...old, scorecard: "reliability", metric: "mttr", score: 80 } as (typeof scores)[number],
    ]);
    await ageScores(knex, 4);
    const register = (kind: string) =>
      service.server.inject({
        method: "PUT",
        url: "/registry",
        payload: { ...cart, env: undefined, labels: { kind } },
      });
    await register("batch");
    await missDays(knex, 3);
    await writeDays(service.database, { applies });
    await register("service");
    const since = await dueDay(knex, 2);
    const { items } = await readPage<AppChange>(service, "/changes", { since });
    const [sla, mttr] = ["sla", "mttr"].map((name) => weightOf(name));
    const score = (20 * Number(sla) + 80 * Number(mttr)) / (Number(sla) + Number(mttr));
    expect(items).toMatchObject([
      {
        ...{ score_since: 80, score: expect.closeTo(score, 8) },
        causes: { report: 0, rules: 0, waiver: 0, policy: expect.closeTo(score - 80, 8), move: 0, other: 0 },
      },
    ]);
    const { items: days } = await readPage<object>(service, "/history", { ...cart });
    expect(days.length).toBeGreaterThan(0);
    for (const day of days) expect(day).toMatchObject({ score: 80, exempt: expect.closeTo(exemptShare, 9) });
  });
});

test("an application had no score before the day from which its only metric counts", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const service = await useService({ applies: [{ scorecard: "security", metric: "sast", from: day }] });
  const { knex } = service.database;
  await saveScores(knex, [{ ...scores[0], ...cart, scorecard: "security", metric: "sast" } as (typeof scores)[number]]);
  await ageScores(knex, 4);
  const { items } = await readPage<AppChange>(service, "/changes", { since: await dueDay(knex, 2) });
  expect(items).toMatchObject([{ score: scores[0]?.score, score_since: null, change: null }]);
});

test("an application that a recorded day exempted from its only metric had no score that day", async () => {
  const applies = [{ scorecard: "security", metric: "sast", unless: { env: ["prod"] } }];
  const service = await useService();
  const { knex } = service.database;
  const sast = { ...scores[0], ...cart, scorecard: "security", metric: "sast" } as (typeof scores)[number];
  await saveScores(knex, [sast, { ...sast, env: "dev" }]);
  await ageScores(knex, 4);
  await missDays(knex, 3);
  await writeDays(service.database, { applies });
  const since = await dueDay(knex, 2);
  const { items } = await readPage<AppChange>(service, "/changes", { since });
  expect(items.map(({ env, score_since }) => [env, score_since]).sort()).toEqual([
    ["dev", scores[0]?.score],
    ["prod", null],
  ]);
  const { items: totals } = await readPage<object>(service, "/change-totals", { since, by: "organisation" });
  expect(totals).toMatchObject([
    { env: "dev", apps: 1, new: 0 },
    { env: "prod", apps: 0, new: 1 },
  ]);
});

const reliability = scorecards.find(({ name }) => name === "reliability");
const weightOf = (metric: string) => reliability?.metrics.find(({ name }) => name === metric)?.weight;
const sum = (parts: readonly { readonly weight: number }[] = []) => parts.reduce((all, { weight }) => all + weight, 0);
const shareOf = (scorecard: string, metric: string) => {
  const card = scorecards.find(({ name }) => name === scorecard);
  const weight = card?.metrics.find(({ name }) => name === metric)?.weight ?? 0;
  return ((card?.weight ?? 0) * weight) / sum(card?.metrics) / sum(scorecards);
};
const exemptShare = shareOf("reliability", "sla") + shareOf("security", "dast");
