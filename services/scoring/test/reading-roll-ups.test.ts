import { rollUp, type ScoreRecord } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problem } from "./support/problem-report.ts";
import { type ReadPage, readPage, saveAgedScores, someScores } from "./support/reading.ts";
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
import { storeProblem } from "./support/store.ts";

const scores = someScores(40);

describe.each(engines)("roll-ups on %s", (kind) => {
  let service: TestService;
  let records: ScoreRecord[];

  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    records = await saveAgedScores(knex, scores);
    for (const [index, severity] of (["high", "high", "low"] as const).entries()) {
      await storeProblem(knex, { ...problem, ...records[0], problem_type: `kind ${index}`, severity });
    }
    await storeProblem(knex, { ...problem, ...records[0], problem_type: "resolved", count: 0, details: [] });
  });
  afterAll(() => service.stop());

  /** What core computes of the records that are left, at the time of the answer. */
  async function compare(query: Readonly<Record<string, string>>, holds: (record: ScoreRecord) => boolean) {
    const pages: Record<"apps" | "teams" | "areas", ReadPage> = {
      apps: await readPage(service, "/apps", { limit: 1_000, ...query }),
      teams: await readPage(service, "/teams", { limit: 1_000, ...query }),
      areas: await readPage(service, "/areas", { limit: 1_000, ...query }),
    };
    const expected = rollUp(shippedEngine.scorecards, records.filter(holds), new Date(pages.apps.as_of));
    for (const level of ["apps", "teams", "areas"] as const) {
      const shown = level === "apps" ? pages.apps.items : pages[level].items.map(withoutScorecards);
      expect(byName(shown.map(numbersOf))).toEqual(byName(expected[level].map(expectedNumbers)));
      expect(pages[level]).toMatchObject({ total: expected[level].length, next: null });
    }
    for (const level of ["teams", "areas"] as const) {
      for (const item of pages[level].items as unknown as AverageItem[]) {
        const isBelow = (record: ScoreRecord) =>
          record.area === item.area && record.env === item.env && (item.team ?? record.team) === record.team;
        const own = records.filter(holds).filter(isBelow);
        const asOf = new Date(pages[level].as_of);
        expect(item.apps ?? item.count).toBe(rollUp(shippedEngine.scorecards, own, asOf).apps.length);
        const scores = shippedEngine.scorecards.flatMap((scorecard) => {
          const [found] = rollUp([scorecard], own, asOf)[level];
          return found ? [{ scorecard: scorecard.name, score: found.score }] : [];
        });
        const shown = item.scorecards.map(({ scorecard, score }) => ({ scorecard, score }));
        expect(expectedNumbers(shown)).toEqual(expectedNumbers(scores));
        // Each share of the whole is the weighted mean of those of its scorecards.
        for (const field of ["reported", "fresh"] as const) {
          const weights = shippedEngine.scorecards.map(({ name, weight }) => {
            return weight * (item.scorecards.find(({ scorecard }) => scorecard === name)?.[field] ?? 0);
          });
          const total = shippedEngine.scorecards.reduce((sum, { weight }) => sum + weight, 0);
          expect(weights.reduce((sum, one) => sum + one, 0) / total).toBeCloseTo(item[field], 9);
        }
      }
    }
    return expected;
  }

  test("are those of core", async () => {
    const { apps, teams, areas } = await compare({}, () => true);
    expect(Math.min(apps.length, teams.length, areas.length)).toBeGreaterThan(3);
    expect(apps.some(({ reported, fresh }) => fresh < reported)).toBe(true);
  });

  test("of what a filter leaves are those that core computes of it", async () => {
    const [first] = records;
    if (!first) throw new Error("there are no scores");
    await compare({ env: "prod" }, ({ env }) => env === "prod");
    await compare({ area: first.area, env: "staging" }, ({ area, env }) => area === first.area && env === "staging");
    await compare({ team: first.team }, ({ team }) => team === first.team);
    await compare({ app: first.app }, ({ app }) => app === first.app);
    await compare({ app: "nobody" }, () => false);
  });

  test.each(["/teams", "/areas"])("of %s in one environment are those of all its areas there", async (path) => {
    const [{ items }, all] = [
      await readPage(service, path, { env: "prod", limit: 1_000 }),
      await readPage(service, path),
    ];
    const areas = [...new Set(records.map(({ area }) => area))].map((area) => `area=${encodeURIComponent(area)}`);
    const ofAreas = await readPage(service, `${path}?${areas.join("&")}`, { env: "prod", limit: 1_000 });
    expect(items).toEqual(ofAreas.items);
    expect([items.length > 0, items.length < all.total]).toEqual([true, true]);
  });

  test("count the open problems, by severity", async () => {
    const [{ area, team, app, env } = { area: "", team: "", app: "", env: "" }] = records;
    const problems = { critical: 0, high: 2, medium: 0, low: 1, info: 0 };
    for (const path of ["/apps", "/teams", "/areas"]) {
      const { items } = await readPage(service, path, { area, team, app, env });
      expect(items, path).toEqual([expect.objectContaining({ problems })]);
    }
  });

  test("of applications that never reported a metric", async () => {
    const idOf = ({ area, team, app, env }: Pick<ScoreRecord, "area" | "team" | "app" | "env">) =>
      JSON.stringify([area, team, app, env]);
    const reported = new Set(records.filter(({ metric }) => metric === "dast").map(idOf));
    const { items } = await readPage<ScoreRecord>(service, "/apps", { missing: "security.dast", limit: 1_000 });
    const others = [...new Set(records.map(idOf))].filter((id) => !reported.has(id));
    expect(items.map(idOf).sort()).toEqual(others.sort());
    expect(others.length).toBeGreaterThan(0);
    const { statusCode } = await service.server.inject("/apps?missing=dast");
    expect(statusCode).toBe(400);
  });

  test("with details hold every installed metric, and roll up to the score beside them", async () => {
    const { items } = await readPage<DetailedApp>(service, "/apps", { detail: "true", limit: 50 });
    expect(items).toHaveLength(50);
    for (const item of items) {
      const { area, team, app, env } = item;
      expect(item.metrics.map(({ metric }) => metric)).toEqual(
        shippedEngine.scorecards.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
      );
      const reported = item.metrics.flatMap(({ state, ...rest }) =>
        state === "missing" ? [] : [{ area, team, app, env, ...rest } as ScoreRecord],
      );
      const [rolled] = rollUp(shippedEngine.scorecards, reported, new Date()).apps;
      expect(item.score).toBeCloseTo(rolled?.score ?? Number.NaN, 9);
    }
    const metrics = items.flatMap(({ metrics }) => metrics);
    expect(new Set(metrics.map(({ state }) => state))).toEqual(new Set(["fresh", "late", "stale", "missing"]));
  });
});

interface DetailedApp extends Record<string, unknown> {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly score: number;
  readonly metrics: readonly { readonly metric: string; readonly state: string }[];
}

interface AverageItem {
  readonly area: string;
  readonly team?: string;
  readonly env: string;
  readonly count: number;
  readonly apps?: number;
  readonly reported: number;
  readonly fresh: number;
  readonly scorecards: readonly {
    readonly scorecard: string;
    readonly score: number;
    readonly reported: number;
    readonly fresh: number;
  }[];
}

/** An average as core makes it, which knows no scorecards of teams and areas. */
function withoutScorecards({ scorecards: _, apps: __, ...item }: Record<string, unknown>) {
  return item;
}

/** The numbers of an answer under the names that core gives them, and the names. */
function numbersOf({
  fresh,
  problems: _,
  oldest_reported_at: __,
  registered: ___,
  owner: ____,
  repo: _____,
  tier: ______,
  labels: _______,
  level: ________,
  levels: _________,
  unreported: __________,
  unscored_scorecards: ___________,
  thin: ____________,
  state: _____________,
  ...item
}: Record<string, unknown>) {
  const scorecards = item.scorecards as Record<string, unknown>[] | undefined;
  return expectedNumbers({
    ...item,
    fresh,
    ...(scorecards && {
      scorecards: scorecards.map(({ fresh, ...rest }) => ({ ...rest, fresh })),
    }),
  });
}

/** Numbers to nine decimals, since the order of a sum may differ. */
function expectedNumbers(value: object): object {
  const text = JSON.stringify(value, (_, part) => (typeof part === "number" ? Number(part.toFixed(9)) : part));
  return JSON.parse(text);
}

function byName(items: object[]): object[] {
  const name = (item: object) =>
    JSON.stringify(["area", "team", "app", "env"].map((field) => Reflect.get(item, field)));
  return items.sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

test("any number of callers at a time cost the database one reading", async () => {
  const service = await useService();
  await saveScores(service.database.knex, scores);
  const readings = () =>
    service.database.knex
      .raw("SELECT sum(seq_scan)::int AS count FROM pg_stat_user_tables WHERE relname = 'scores'")
      .then(({ rows }) => rows[0].count as number);
  const before = await readings();
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => readPage(service, index % 2 ? "/apps" : "/teams", { env: "prod" })),
  );
  await readPage(service, "/areas");
  await until(async () => (await readings()) > before); // statistics come late
  expect(await readings()).toBe(before + 1);
});

test("a reading that failed is tried again by the next caller", async () => {
  const service = await useService();
  await saveScores(service.database.knex, scores);
  await service.database.knex.raw("ALTER TABLE scores RENAME TO hidden");
  expect((await service.server.inject("/areas")).statusCode).toBe(500);
  await service.database.knex.raw("ALTER TABLE hidden RENAME TO scores");
  expect((await readPage(service, "/areas")).total).toBeGreaterThan(0);
});
