import { type AppLevel, type Level, rollUp, type ScoreRecord } from "@maturity/core";
import { type Lacks, lacksOf, levelFacts, levelOf } from "@maturity/core/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { readAll, readPage, saveAgedScores, someScores } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import {
  createDatabase,
  engines,
  shippedEngine,
  startService,
  type TestService,
  useService,
} from "./support/service.ts";
import { storeProblem } from "./support/store.ts";

/** Levels of which each is that of an application of the tests. */
const levels: readonly Level[] = [
  { name: 'bronze "1"', minScore: 30 },
  { name: "silver", minScore: 45, minFresh: 0.2, scorecards: { security: 30 } },
  { name: "gold", minScore: 50, metrics: { "security.secret_scan": 20 }, noOpenProblems: "high" },
];

interface ShownApp {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly level: AppLevel | null;
  readonly lacks?: Lacks | null;
}

interface ShownAverage {
  readonly area: string;
  readonly team?: string;
  readonly env: string;
  readonly levels: readonly { rank: number; name: string | null; count: number }[];
}

const idOf = ({ area, team, app, env }: Pick<ShownApp, "area" | "team" | "app" | "env">) =>
  JSON.stringify([area, team, app, env]);

describe.each(engines)("levels on %s", (kind) => {
  let service: TestService;
  let records: ScoreRecord[];
  const open = new Set<string>();
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), levels });
    const { knex } = service.database;
    records = await saveAgedScores(knex, someScores(60));
    for (const [place, record] of records.entries()) {
      if (place % 40) continue;
      const { area, team, app, env } = record;
      await storeProblem(knex, { ...problem, area, team, app, env, severity: place % 80 ? "high" : "low", count: 1 });
      if (place % 80) open.add(idOf(record));
    }
  });
  afterAll(() => service.stop());

  test("are those of core, in lists, details and series", async () => {
    const apps = await readAll<ShownApp>(service, "/apps", 50);
    const { as_of } = await readPage(service, "/apps");
    const { scorecards } = shippedEngine;
    const lacking = new Map<string, readonly (Lacks | null)[]>();
    const expected = rollUp(scorecards, records, new Date(as_of)).apps.map((app) => {
      const own = new Map(
        records.filter((one) => idOf(one) === idOf(app)).map((one) => [`${one.scorecard}.${one.metric}`, one]),
      );
      const metricScores = scorecards.flatMap(({ name, metrics }) =>
        metrics.map((metric) => own.get(`${name}.${metric.name}`)),
      );
      const problems = { critical: 0, high: open.has(idOf(app)) ? 1 : 0, medium: 0, low: 0, info: 0 };
      const facts = levelFacts(scorecards, metricScores, [], problems);
      const level = levelOf(app, facts, levels);
      lacking.set(
        idOf(app),
        [undefined, 1, 2, 3].map((rank) => lacksOf(app, facts, levels, rank ?? Number(level?.rank) + 1)),
      );
      return [idOf(app), level] as const;
    });
    expect(new Map(apps.map((app) => [idOf(app), app.level]))).toEqual(new Map(expected));
    expect(new Set(apps.map(({ level }) => level?.rank))).toEqual(new Set([0, 1, 2, 3]));
    const detailed = await readAll<ShownApp>(service, "/apps?detail=true", 50);
    expect(new Map(detailed.map((app) => [idOf(app), app.level]))).toEqual(new Map(expected));

    for (const [rank, level] of ["", ...levels.map(({ name }) => name)].entries()) {
      const query = new URLSearchParams({ lacks: "true", sort: "lacks", ...(level && { below_level: level }) });
      const nearest = await readAll<ShownApp>(service, `/apps?${query}`, 17);
      const isWanted = (app: ShownApp) => rank === 0 || Number(app.level?.rank) < rank;
      expect(nearest.map(idOf).sort()).toEqual(apps.filter(isWanted).map(idOf).sort());
      for (const app of nearest) {
        const lacks = lacking.get(idOf(app))?.[rank];
        const conditions = lacks?.conditions.map((one) => ({
          ...one,
          ...{ has: one.has === null ? null : expect.closeTo(one.has, 9), missing: expect.closeTo(one.missing, 9) },
        }));
        expect(app.lacks).toEqual(lacks && { ...lacks, conditions, missing: expect.closeTo(lacks.missing, 9) });
      }
      const orders = nearest.map(({ lacks }) => [lacks?.conditions.length ?? Infinity, lacks?.missing ?? 0] as const);
      expect(orders).toEqual(orders.toSorted(([a, b], [c, d]) => (a === c ? b - d : a - c)));
    }

    const { payload } = await service.server.inject("/metrics?collect[]=levels");
    const series = parseExposition(payload).map(({ name, labels, value }) => {
      const { area = "", team = "", app = "", env = "", level } = labels;
      return [idOf({ area, team, app, env }), [name, level, Number(value)]] as const;
    });
    expect(new Map(series)).toEqual(
      new Map(apps.map((app) => [idOf(app), ["maturity_app_level", app.level?.name ?? "none", app.level?.rank]])),
    );
    expect(payload).not.toContain("maturity_app_score");
  });

  test("can be asked for, and their counts are those of teams and areas", async () => {
    const apps = await readAll<ShownApp>(service, "/apps", 1_000);
    for (const [name, rank] of [
      ["none", 0],
      ['bronze "1"', 1],
      ["silver", 2],
      ["gold", 3],
    ] as const) {
      const { total, items } = await readPage<ShownApp>(service, `/apps?level=${encodeURIComponent(name)}&limit=1000`);
      expect(total).toBe(apps.filter(({ level }) => level?.rank === rank).length);
      expect(items.every(({ level }) => level?.rank === rank)).toBe(true);
    }
    const both = await readPage(service, "/apps?level=silver&level=gold");
    expect(both.total).toBe(apps.filter(({ level }) => Number(level?.rank) >= 2).length);
    for (const path of ["/areas", "/teams"]) {
      for (const { levels: counted, ...item } of await readAll<ShownAverage>(service, path, 1_000)) {
        const below = apps.filter(
          (app) => app.area === item.area && app.env === item.env && (!item.team || app.team === item.team),
        );
        const expected = [0, 1, 2, 3].flatMap((rank) => {
          const count = below.filter(({ level }) => level?.rank === rank).length;
          return count > 0 ? [{ rank, name: rank === 0 ? null : levels[rank - 1]?.name, count }] : [];
        });
        expect(counted).toEqual(expected);
      }
    }
  });

  test("a level that is not there is named with those that are", async () => {
    const { statusCode, payload } = await service.server.inject("/apps?level=gold&level=platinum");
    expect([statusCode, JSON.parse(payload).details]).toEqual([
      400,
      [{ path: "level[1]", message: 'must be one of bronze "1", silver, gold, none' }],
    ]);
  });

  test("stand in CSV with what is unmet", async () => {
    const { payload } = await service.server.inject({
      url: "/apps?level=none&limit=1",
      headers: { accept: "text/csv" },
    });
    const [head = "", first = ""] = payload.split("\r\n");
    expect(head).toContain(",level,unmet,");
    expect(first).toContain('"bronze ""1"" needs score 30, has ');
  });
});

test("a problem that opens or is resolved moves the level, without any report of a score", async () => {
  const databaseUrl = await createDatabase("postgres");
  const levels = [{ name: "clean", noOpenProblems: "critical" }] as const;
  const level = async () => {
    const service = await useService({ databaseUrl, levels }); // the first reading of each is new
    return (await readPage<ShownApp>(service, "/apps")).items[0]?.level;
  };
  const { database } = await useService({ databaseUrl, levels });
  const score = newScore({});
  await saveScores(database.knex, [score]);
  expect(await level()).toEqual({ rank: 1, name: "clean", next: null });
  const { area, team, app, env } = score;
  await storeProblem(database.knex, { ...problem, area, team, app, env, severity: "critical", count: 2 });
  expect(await level()).toEqual({
    ...{ rank: 0, name: null },
    next: { name: "clean", unmet: "clean needs no open problem that is critical, has 1" },
  });
});

test("a condition on a waived metric holds, in lists and details, as much as the level takes", async () => {
  const levels: Level[] = [
    { name: "scanned", metrics: { "security.secret_scan": 100 } },
    { name: "honest", maxWaived: 0.01 },
  ];
  const service = await useService({ levels });
  const score = newScore({});
  await saveScores(service.database.knex, [score]);
  const { area, team, app, env } = score;
  const waiver = { kind: "not_applicable", area, team, app, env, reason: "it has no secrets", owner: "ann" };
  const made = await post(service, "/waivers", { ...waiver, scorecard: "security", metric: "secret_scan" });
  expect(made.status).toBe(201);
  const unmet = expect.stringMatching(/^honest needs at most 1 % waived, has \d+ %$/);
  for (const path of ["/apps", "/apps?detail=true"]) {
    const [shown] = (await readPage<ShownApp>(service, path)).items;
    expect(shown?.level, path).toEqual({ rank: 1, name: "scanned", next: { name: "honest", unmet } });
  }
});

test("without levels an application has none, and there is no series", async () => {
  const service = await useService({ levels: [] });
  await saveScores(service.database.knex, [newScore({})]);
  expect((await readPage<ShownApp>(service, "/apps")).items[0]?.level).toBeNull();
  expect((await readPage<ShownAverage>(service, "/teams")).items[0]?.levels).toEqual([]);
  expect((await readPage(service, "/apps?level=none")).total).toBe(1);
  const { payload } = await service.server.inject("/metrics?collect[]=levels");
  expect(parseExposition(payload)).toEqual([]);
});

test("a bounded token counts and scrapes the levels within its bounds", async () => {
  const service = await useService({ auth: "token" });
  await saveScores(service.database.knex, [newScore({ team: "mine" }), newScore({ team: "theirs" })]);
  const token = createToken();
  const bounds = { team: "mine" };
  await insertToken(service.database.knex, { name: "t", hash: hashToken(token), scopes: ["read"], bounds });
  const headers = { authorization: `Bearer ${token}` };
  const [area] = (await readPage<ShownAverage>(service, "/areas", {}, headers)).items;
  expect(area?.levels.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  const { payload } = await service.server.inject({ url: "/metrics?collect[]=levels", headers });
  expect(parseExposition(payload).map(({ labels }) => labels.team)).toEqual(["mine"]);
});
