import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewScore } from "../src/store/new-score.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { readAll, readPage, someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";

const scores = someScores(20);

describe.each(engines)("lists on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await saveScores(service.database.knex, scores);
    for (const [index, { area, team, app, env }] of scores.slice(0, 30).entries()) {
      const severity = index % 2 ? "high" : "low";
      const open = { ...problem, area, team, app, env, severity, problem_type: `kind ${index}` } as const;
      await storeProblem(service.database.knex, index % 5 ? open : { ...open, count: 0, details: [] });
    }
  });
  afterAll(() => service.stop());

  test.each([
    "/scores",
    ...["key", "score", "-score", "age", "name"].map((sort) => `/scores?sort=${sort}`),
    ...["score", "-score", "reported", "name"].flatMap((sort) =>
      ["areas", "teams", "apps"].map((level) => `/${level}?sort=${sort}`),
    ),
    ...["age", "severity", "name"].flatMap((sort) => [`/problems?sort=${sort}`, `/problems?all=true&sort=${sort}`]),
    "/scorecards",
    "/scores?detail=true&below=50",
    "/problems?detail=true",
  ])("the pages of %s are the whole list, in its order", async (path) => {
    const { items, total, next } = await readPage(service, path, { limit: 1_000 });
    expect({ next, total }).toEqual({ next: null, total: items.length });
    expect(items.length).toBeGreaterThan(0);
    expect(await readAll(service, path, 7)).toEqual(items);
  });

  test("the parameters of the next page may stand in any order", async () => {
    const first = await readPage(service, "/scores?sort=name&below=90&limit=5");
    const { items } = await readPage(service, `/scores?limit=5&below=90&sort=name&cursor=${first.next}`);
    expect(items).toHaveLength(5);
    expect(first.items).not.toContainEqual(items[0]);
  });

  test("by age, what was reported first comes first", async () => {
    const { knex } = service.database;
    await knex.raw(
      "UPDATE scores SET reported_at = reported_at - interval '1 second' * ((target_id * 37 + metric_id * 11) % 256)",
    );
    const { items } = await readPage<{ reported_at: string }>(service, "/scores?sort=age", { limit: 1_000 });
    const times = items.map(({ reported_at }) => Date.parse(reported_at));
    expect(new Set(times).size).toBeGreaterThan(10);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("a page deep in a list neither repeats nor misses a row that did not change", async () => {
    const others = Array.from({ length: 200 }, (_, app) => newScore({ app: `app ${app}`, area: "stays", score: 1 }));
    await saveScores(service.database.knex, others);
    let round = 0;
    const seen = await readAll<NewScore>(service, "/scores?sort=score&area=stays&area=comes", 10, async () => {
      round++;
      await saveScores(service.database.knex, [
        newScore({ area: "comes", app: `before ${round}`, score: 0 }),
        newScore({ area: "comes", app: `behind ${round}`, score: 2 }),
      ]);
    });
    const stayed = seen.filter(({ area }) => area === "stays").map(({ app }) => app);
    expect(stayed).toHaveLength(200);
    expect(new Set(stayed).size).toBe(200);
    await service.database.knex.raw(
      "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area IN ('stays', 'comes'))",
    );
  });

  test.each<[string, (score: NewScore) => boolean]>([
    ["scorecard=security", ({ scorecard }) => scorecard === "security"],
    ["metric=sast&metric=dast", ({ metric }) => metric === "sast" || metric === "dast"],
    [
      "metric=security.sast&metric=reliability.mttr&metric=security.mttr",
      ({ metric }) => /^(?:sast|mttr)$/.test(metric),
    ],
    ["metric=application.sast&metric=.sast&metric=security.", () => false],
    ["metric=security.sast&metric=mttr", ({ metric }) => metric === "sast" || metric === "mttr"],
    ["metric=security.sast&scorecard=reliability", () => false],
    ["below=20.5", ({ score }) => score < 20.5],
    ["below=0", () => false],
    ["scorer=test@1.0.1", ({ scorer }) => scorer === "test@1.0.1"],
    ["state=fresh", () => true],
    ["state=stale&state=late", () => false],
    [
      "env=prod&scorecard=reliability&below=90",
      (one) => one.env === "prod" && one.scorecard === "reliability" && one.score < 90,
    ],
  ])("/scores?%s", async (query, holds) => {
    const keyOf = ({ area, team, app, env, scorecard, metric, score }: NewScore) =>
      JSON.stringify([area, team, app, env, scorecard, metric, score]);
    const { items, total } = await readPage<NewScore>(service, `/scores?${query}`, { limit: 1_000 });
    expect(items.map(keyOf).sort()).toEqual(scores.filter(holds).map(keyOf).sort());
    expect(total).toBe(items.length);
  });

  test("/scores shows what was just written", async () => {
    await saveScores(service.database.knex, [newScore({ area: "new", score: 5 })]);
    expect((await readPage(service, "/scores", { area: "new" })).items).toMatchObject([{ score: 5, state: "fresh" }]);
    await saveScores(service.database.knex, [newScore({ area: "new", score: 6 })]);
    expect((await readPage(service, "/scores", { area: "new" })).items).toMatchObject([{ score: 6 }]);
    await service.database.knex.raw(
      "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'new')",
    );
  });

  test("details say why, unless the rules have changed", async () => {
    const target = {
      area: "why",
      scorecard: "security",
      metric: "image_scan",
      raw: { critical: 0, high: 3, medium: 12 },
    };
    await saveScores(service.database.knex, [
      newScore({ ...target, app: "same rules", score: 53.59 }),
      newScore({ ...target, app: "other rules", score: 12 }),
      newScore({ ...target, app: "refused now", score: 12, raw: { severe: 3 } }),
      newScore({ ...target, app: "gone", score: 12, metric: "no_such_metric" }),
    ]);
    const { items } = await readPage<{ app: string; reasons: unknown; raw: object }>(service, "/scores", {
      area: "why",
      detail: "true",
      sort: "name",
    });
    expect(items.map(({ app, reasons }) => [app, reasons])).toEqual([
      ["gone", null],
      ["other rules", null],
      ["refused now", null],
      [
        "same rules",
        [expect.objectContaining({ field: "high", value: 3 }), expect.objectContaining({ field: "medium" })],
      ],
    ]);
    expect(items.map(({ raw }) => raw)).toEqual([target.raw, target.raw, { severe: 3 }, target.raw]);
    await service.database.knex.raw(
      "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'why')",
    );
  });

  test("a page of large results ends early, and the pages hold all of them", async () => {
    const large = (index: number) => ({ text: String(index).repeat(1_000_000) });
    const area = "large";
    for (let index = 0; index < 9; index++) {
      await saveScores(service.database.knex, [newScore({ area, app: `app ${index}`, raw: large(index) })]);
    }
    const { items, next } = await readPage<{ app: string }>(service, "/scores", { area, detail: "true" });
    expect(items.length).toBeGreaterThan(1);
    expect(items.length).toBeLessThan(9);
    expect(next).not.toBeNull();
    const all = await readAll<{ app: string; raw: object }>(service, `/scores?area=${area}&detail=true&sort=name`, 100);
    expect(all.map(({ app, raw }) => [app, raw])).toEqual(all.map((_, index) => [`app ${index}`, large(index)]));
    expect(all).toHaveLength(9);
    await service.database.knex.raw(
      "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'large')",
    );
  });
});

test("a page of applications with large results ends early, and the pages hold all of them", async () => {
  const service = await useService();
  for (let index = 0; index < 9; index++) {
    const raw = { text: String(index).repeat(1_000_000) };
    await saveScores(service.database.knex, [newScore({ app: `app ${index}`, raw })]);
  }
  const { items } = await readPage<{ app: string }>(service, "/apps", { detail: "true", sort: "name" });
  expect(items.length).toBeGreaterThan(1);
  expect(items.length).toBeLessThan(9);
  const all = await readAll<{ app: string }>(service, "/apps?detail=true&sort=name", 50);
  expect(all.map(({ app }) => app)).toEqual(all.map((_, index) => `app ${index}`));
  expect(all).toHaveLength(9);
});

test.each<[string, (row: Row) => (string | number)[]]>([
  ["/scores?sort=score", ({ score }) => [score]],
  ["/scores?sort=-score", ({ score }) => [-score]],
  ["/apps", ({ score, area, team, app, env }) => [score, area, team, app, env]],
  ["/apps?sort=-score", ({ score, area, team, app, env }) => [-score, area, team, app, env]],
  ["/teams?sort=reported", ({ reported, area, team, env }) => [reported, area, team, env]],
  ["/areas?sort=name", ({ area, env }) => [area, env]],
])("%s is in its order", async (path, placeOf) => {
  const service = await useService();
  await saveScores(service.database.knex, scores);
  const places = (await readPage<Row>(service, path, { limit: 1_000 })).items.map(placeOf);
  const sorted = places.toSorted((a, b) => {
    const index = a.findIndex((value, place) => value !== b[place]);
    return index === -1 ? 0 : (a[index] as string) < (b[index] as string) ? -1 : 1;
  });
  expect(places.length).toBeGreaterThan(2);
  expect(places).toEqual(sorted);
});

interface Row extends NewScore {
  readonly reported: number;
}
