import { rollUp, type ScoreRecord } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { ChangeTotal } from "../src/history/change-totals.ts";
import type { AppChange } from "../src/history/changes.ts";
import type { NewScore } from "../src/store/new-score.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { readAll, readPage, someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import {
  createDatabase,
  enginesInZones,
  shippedEngine,
  startService,
  type TestService,
  useService,
} from "./support/service.ts";

const { scorecards } = shippedEngine;

/** What was reported of a score. */
interface Line {
  readonly key: NewScore;
  /** The score at the end of each day; undefined before the first report. */
  readonly days: (number | undefined)[];
  /** What the rules added on each day. */
  readonly rules: number[];
  /** The scorer of the rules that did. */
  readonly scorers: (string | undefined)[];
}

const days = 4;

/** Reports scores on some days, of which some move by the rules alone. Of one application nothing comes before the last. */
async function fill({ database }: Pick<TestService, "database">): Promise<Line[]> {
  const lines = someScores(12).map((key): Line => ({ key, days: [], rules: [], scorers: [] }));
  const raws = new Map<Line, object>();
  for (let day = 0; day < days; day++) {
    if (day > 0) await ageScores(database.knex, 1);
    const reported: NewScore[] = [];
    for (const [index, line] of lines.entries()) {
      const { key } = line;
      const before = line.days.at(-1);
      const kind = (index * 7 + day * 3) % 5;
      const isLate = key.app.endsWith("11") && day < days - 1;
      const step = isLate || (before === undefined) !== kind < 2 ? "nothing" : kind === 4 ? "rules" : "report";
      const score = step === "nothing" ? before : index % 4 === day ? 0 : (index * 13 + day * 29) % 101;
      line.days.push(score);
      line.rules.push(step === "rules" ? (score ?? 0) - (before ?? 0) : 0);
      line.scorers.push(step === "rules" ? `test@2.${day}.0` : undefined);
      if (step === "nothing" || score === undefined) continue;
      // The rules move a score if another scorer makes it of the same raw.
      const raw = step === "rules" ? (raws.get(line) ?? {}) : { day };
      raws.set(line, raw);
      reported.push({ ...key, score, raw, scorer: step === "rules" ? `test@2.${day}.0` : key.scorer });
    }
    await saveScores(database.knex, reported);
  }
  return lines;
}

/** The roll-ups of applications, by name. */
function apps(lines: readonly Line[], scoreOf: (line: Line) => number | undefined): Map<string, number> {
  const records = lines.flatMap((line): ScoreRecord[] => {
    const score = scoreOf(line);
    return score === undefined ? [] : [{ ...line.key, score, reported_at: new Date(0) }];
  });
  return new Map(rollUp(scorecards, records, new Date(0)).apps.map((app) => [idOf(app), app.score]));
}

function idOf({ area, team, app, env }: Pick<NewScore, "area" | "team" | "app" | "env">): string {
  return JSON.stringify([area, team, app, env]);
}

describe.each(enginesInZones)("GET /changes on %s in %s", (kind, zone) => {
  let service: TestService;
  let lines: Line[];
  beforeAll(async () => {
    service = await startService({ zone, databaseUrl: await createDatabase(kind) });
    lines = await fill(service);
    await ageScores(service.database.knex, 1);
  });
  afterAll(() => service.stop());

  /** Compares every application since so many days after the first report with the model. */
  async function compare(day: number, recorded: ReadonlyMap<string, number>): Promise<AppChange[]> {
    const since = await dueDay(service.database.knex, days - 1 - day);
    const { items, total } = await readPage<AppChange>(service, "/changes", { since, limit: 1_000, sort: "name" });
    const atMidnight = apps(lines, ({ days }) => days[day]);
    // A roll-up is linear in the scores, but ends at 100; so hundredths of the steps are rolled up.
    const ruled = apps(lines, ({ days, rules }) =>
      days.at(-1) === undefined ? undefined : rules.slice(day + 1).reduce((sum, step) => sum + step / 100, 0),
    );
    const now = apps(lines, ({ days }) => days.at(-1));
    expect(total).toBe(now.size);
    expect(new Set(items.map(idOf))).toEqual(new Set(now.keys()));
    for (const item of items) {
      const id = idOf(item);
      const [score, last] = [recorded.get(id) ?? atMidnight.get(id), now.get(id) ?? Number.NaN];
      expect(item.score).toBeCloseTo(last, 9);
      if (score === undefined) {
        expect(item).toMatchObject({ score_since: null, change: null, causes: null });
        continue;
      }
      expect(item.score_since).toBeCloseTo(score, 9);
      expect(item.change).toBeCloseTo(last - score, 8);
      expect(item.causes?.rules).toBeCloseTo((atMidnight.get(id) ?? score) - score + (ruled.get(id) ?? 0) * 100, 8);
      expect(item.causes).toMatchObject({ waiver: 0, move: 0, other: 0 });
      const ruledBy = lines
        .filter(({ key, rules }) => idOf(key) === id && rules.slice(day + 1).reduce((sum, step) => sum + step, 0) !== 0)
        .map(({ scorers }) => scorers.slice(day + 1).findLast((one) => one !== undefined));
      const packages = item.moved_by.filter((name) => !name.startsWith("weights."));
      expect(packages.toSorted()).toEqual([...new Set(ruledBy)].sort());
      expect((item.causes?.report ?? 0) + (item.causes?.rules ?? 0)).toBeCloseTo(item.change ?? 0, 8);
    }
    return items;
  }

  test("compares each application with what it was, and splits the difference by cause", async () => {
    const all = (await Promise.all([0, 3].map((day) => compare(day, new Map())))).flat();
    expect(all.some(({ causes }) => causes && causes.rules !== 0 && causes.report !== 0)).toBe(true);
    expect(all.some(({ score_since }) => score_since === null)).toBe(true);
    expect(all.some(({ change }) => change === 0)).toBe(true);
  });

  test("takes the recorded roll-up of the day where there is one, so other weights count as rules", async () => {
    const { knex } = service.database;
    await missDays(knex, 3);
    await writeDays(service.database);
    const recorded = async (ago: number) => {
      const { rows } = await knex.raw(
        `SELECT area, team, app, env, score FROM roll_up_days JOIN roll_up_targets_by_name AS target ON target.id = roll_up_days.target_id
         WHERE day = ?::date AND app IS NOT NULL`,
        [await dueDay(knex, ago)],
      );
      expect(rows.length).toBeGreaterThan(10);
      return new Map<string, number>(rows.map((row: NewScore) => [idOf(row), row.score]));
    };
    const withRules = await compare(1, await recorded(2));
    expect(withRules.some(({ causes }) => causes && causes.rules !== 0 && causes.report !== 0)).toBe(true);
    await knex.raw(
      "UPDATE roll_up_days SET score = score / 2, weights = weights + 1 WHERE day = ?::date AND target_id % 2 = 0",
      [await dueDay(knex, 1)],
    );
    const rules = (weight: number) =>
      JSON.stringify({ scorecards: [{ name: "security", weight, metrics: [] }], levels: [] });
    await knex.raw(
      "INSERT INTO policies (policy, loaded_at) VALUES (?::jsonb, now() - interval '40 days'), (?::jsonb, now())",
      [rules(20), rules(35)],
    );
    const items = await compare(2, await recorded(1));
    const named = items.filter(({ moved_by }) => moved_by.includes("weights.scorecards.security 20 → 35"));
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThan(items.length);
  });
});

describe("a list of changes", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    const { knex } = service.database;
    const report = (scores: Record<string, number>) =>
      saveScores(
        knex,
        Object.entries(scores).map(([app, score]) => newScore({ app, score, team: app < "c" ? "one" : "two" })),
      );
    await report({ a: 50, b: 50, c: 50, d: 50, z: 0 });
    await saveScores(knex, [newScore({ app: "gone", scorecard: "gone" })]);
    await ageScores(knex, 40);
    await report({ a: 20, b: 80, c: 49, new: 10, z: 10 });
  });
  afterAll(() => service.stop());

  const read = async (query: Record<string, string>) =>
    (await readPage<AppChange>(service, "/changes", query)).items.map(({ app, change }) => [app, change]);

  test("looks back 30 days, the greatest loss first, and what is new last", async () => {
    const loss = [
      ["a", -30],
      ["c", -1],
      ["d", 0],
      ["z", 10],
      ["b", 30],
      ["new", null],
    ];
    expect(await read({})).toEqual(loss);
    const { items } = await readPage<AppChange>(service, "/changes");
    expect(items[0]).toEqual({
      ...{ area: "area", team: "one", app: "a", env: "prod", score_since: 50, score: 20, thin: true, change: -30 },
      causes: { report: -30, rules: 0, waiver: 0, policy: 0, move: 0, other: 0 },
      moved_by: [],
    });
  });

  test("can begin with the greatest gain, or follow the names", async () => {
    expect(await read({ sort: "gain" })).toEqual([
      ["b", 30],
      ["z", 10],
      ["d", 0],
      ["c", -1],
      ["a", -30],
      ["new", null],
    ]);
    expect((await read({ sort: "name" })).map(([app]) => app)).toEqual(["a", "b", "c", "d", "new", "z"]);
    expect(await read({ team: "two", sort: "name" })).toEqual([
      ["c", -1],
      ["d", 0],
      ["new", null],
      ["z", 10],
    ]);
  });

  test.each(["loss", "gain", "name"])("comes in pages by %s, none of which repeats or misses an item", async (sort) => {
    const whole = await readPage<AppChange>(service, "/changes", { sort });
    expect(await readAll(service, `/changes?sort=${sort}`, 2)).toEqual(whole.items);
  });

  test("as CSV has a column for each cause", async () => {
    const { payload } = await service.server.inject({ url: "/changes", headers: { accept: "text/csv" } });
    expect(payload.split("\r\n").slice(0, 2)).toEqual([
      "area,team,app,env,score_since,score,thin,change,report,rules,waiver,policy,move,other,moved_by,day",
      expect.stringMatching(/^area,one,a,prod,50,20,true,-30,-30,0,0,0,0,0,,\d{4}-\d\d-\d\d$/),
    ]);
  });

  test("is added up by team, by area and as a whole", async () => {
    const totals = async (query: string) =>
      (await readPage<ChangeTotal>(service, `/change-totals?${query}`)).items.map(
        ({ area, team, apps, fell, rose, change, ...rest }) => [area, team, apps, rest.new, fell, rose, change],
      );
    const [one, two] = [
      ["area", "one", 2, 0, 1, 1, 0],
      ["area", "two", 3, 1, 1, 1, 3],
    ];
    expect(await totals("by=team")).toEqual([one, two]);
    expect(await totals("by=team&sort=gain")).toEqual([two, one]);
    expect(await totals("by=team&team=two")).toEqual([two]);
    expect(await totals("")).toEqual([["area", null, 5, 1, 2, 2, 1.5]]);
    expect(await totals("by=organisation")).toEqual([[null, null, 5, 1, 2, 2, 1.5]]);
    expect(await totals("by=organisation&env=nowhere")).toEqual([]);
    const [whole] = (await readPage<ChangeTotal>(service, "/change-totals?by=organisation")).items;
    expect(whole?.moved).toEqual([{ cause: "report", apps: 4, lost: -31, gained: 40 }]);
    const { payload } = await service.server.inject({ url: "/change-totals", headers: { accept: "text/csv" } });
    expect(payload).toMatch(
      /^area,team,env,apps,new,fell,rose,change,report,rules,waiver,policy,move,other,moved_by,day\r\narea,,prod,5,1,2,2,1.50,1.50,0,0,0,0,0,,20[\d-]+\r\n$/,
    );
  });

  test.each([
    ["since=2999-01-01", /^since must not be in the future; today is \d{4}-\d\d-\d\d in UTC$/],
    ["since=2026-02-30", /^since must be a day such as 2026-01-31$/],
    ["since=2026-02-20T00:00:00Z", /^since must be a day such as 2026-01-31$/],
    ["since=30d", /^since must be a day such as 2026-01-31$/],
    ["until=2026-01-01", /^until is not a parameter of this path$/],
  ])("refuses %s", async (query, message) => {
    const { statusCode, payload } = await service.server.inject(`/changes?${query}`);
    expect([statusCode, JSON.parse(payload).message]).toEqual([400, expect.stringMatching(message)]);
  });
});

test("a token sees the changes within its bounds", async () => {
  const service = await useService({ auth: "token" });
  const { knex } = service.database;
  await saveScores(
    knex,
    ["one", "two"].flatMap((team) => [newScore({ team, app: "a" }), newScore({ team, app: "b" })]),
  );
  const token = createToken();
  const bounds = { area: "area", team: "two" };
  await insertToken(knex, { name: "reader", hash: hashToken(token), scopes: ["read"], bounds });
  const headers = { authorization: `Bearer ${token}` };
  const { items } = await readPage<AppChange>(service, "/changes", {}, headers);
  expect(items.map(({ team, app }) => [team, app])).toEqual([
    ["two", "a"],
    ["two", "b"],
  ]);
  expect((await service.server.inject({ url: "/changes?team=one", headers })).statusCode).toBe(403);
});
