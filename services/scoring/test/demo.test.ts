import { type DemoYear, demoTeams, demoWaivers, demoYear, problemRows } from "@maturity/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeNextDay } from "../src/history/day.ts";
import type { Database } from "../src/store/database.ts";
import { report } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import {
  createDatabase,
  engines,
  shippedEngine,
  startService,
  type TestService,
  useService,
} from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { collect } from "./support/transfer.ts";

const now = new Date();

const daysAgo = (days: number) => now.getTime() - days * 86_400_000;

const rowsOf = async (database: Database, sql: string) => (await database.knex.raw(sql)).rows;

describe("the made-up organisation", () => {
  const year: { now: DemoYear } = { now: { days: [], rows: [] } };
  beforeAll(() => {
    year.now = demoYear(now, demoWaivers(now));
  });

  test("has sixty applications of several areas and teams", () => {
    const apps = demoTeams.flatMap(({ apps }) => apps);
    expect(new Set(apps).size).toBe(60);
    expect(apps).toHaveLength(60);
    expect(new Set(demoTeams.map(({ area }) => area)).size).toBe(5);
  });

  test("is the same whenever it is made, apart from its times", () => {
    expect(demoYear(now, demoWaivers(now))).toEqual(year.now);
    expect([...problemRows(now)]).toEqual([...problemRows(now)]);
    const inAWeek = new Date(now.getTime() + 7 * 86_400_000);
    const later = demoYear(inAWeek, demoWaivers(inAWeek));
    const average = ({ days }: DemoYear) => days.at(-1)?.rollUps.map(({ app, score }) => ({ app, score }));
    expect(average(later)).toEqual(average(year.now));
  });

  test("has waivers that the eight characters of a list distinguish", () => {
    const ids = demoWaivers(now).map(({ id }) => id);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  test("has a year of days and nothing of the future", () => {
    expect(year.now.days).toHaveLength(364);
    expect(year.now.days.at(-1)?.day).toBe(now.toISOString().slice(0, 10));
    const times = JSON.stringify([year.now.rows, ...problemRows(now)]).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
    expect(times.length).toBeGreaterThan(1_000);
    expect(times.filter((time) => Date.parse(time) > now.getTime())).toEqual([]);
  });

  test("has good and bad teams, and some that got better or worse", () => {
    const teams = (at: number) =>
      new Map(
        year.now.days
          .at(at)
          ?.rollUps.filter(({ team, app, env }) => team !== undefined && app === undefined && env === "prod")
          .map(({ team, score }) => [team, score]),
      );
    const [then, last] = [teams(90), teams(-1)];
    const scores = [...last.values()];
    expect(scores).toHaveLength(14);
    expect(Math.min(...scores)).toBeLessThan(45);
    expect(Math.max(...scores)).toBeGreaterThan(85);
    const moved = [...last].map(([team, score]) => score - (then.get(team) ?? Number.NaN));
    expect(Math.max(...moved)).toBeGreaterThan(8);
    expect(Math.min(...moved)).toBeLessThan(-4);
  });
});

describe.each(engines)("demo on %s", (kind) => {
  let filled: TestService;
  let database: Database;
  let printed: string;
  const list = async (url: string) => JSON.parse((await filled.server.inject(url)).payload);
  beforeAll(async () => {
    filled = await startService({ databaseUrl: await createDatabase(kind) });
    database = filled.database;
    printed = await runOn(database, ["demo", "--if-empty"], { now });
  });
  afterAll(() => filled.stop());

  test("stores what the service would have stored", async () => {
    expect(printed).toMatch(/^Stored a made-up organisation\. Scores: \d+, problems: \d+, changes of scores: \d+, /);

    const scores = await rowsOf(database, "SELECT scorecard, metric, raw, score::float8, scorer FROM scores_by_name");
    expect(scores.length).toBeGreaterThan(1_000);
    for (const { scorecard, metric, raw, score, scorer } of scores) {
      const scored = shippedEngine.score(scorecard, metric, raw);
      // Those that fell silent before the rules changed have the score of the rules before.
      if (scorer === scored.scorer) expect(score).toBe(scored.score);
      else expect(scorer).toBe("@maturity/security@0.0.9");
    }
    expect(new Set(scores.map(({ metric }: { metric: string }) => metric)).size).toBe(15);
    // No score is of rules that were not in force when it was made.
    const early = `
      SELECT FROM score_changes WHERE cause = 'rules' AND at < (SELECT max(at) FROM audit WHERE action = 'policy.load')`;
    expect(await rowsOf(database, early)).toEqual([]);
    expect(await rowsOf(database, "SELECT FROM audit WHERE action = 'policy.load'")).toHaveLength(2);

    const broken = `
      SELECT FROM (
        SELECT former, lag(score) OVER line AS before, cause, row_number() OVER line AS number
        FROM score_changes WINDOW line AS (PARTITION BY target_id, metric_id ORDER BY at)
      ) AS changes
      WHERE former IS DISTINCT FROM before OR (cause = 'rules' AND number = 1)`;
    expect(await rowsOf(database, broken)).toEqual([]);
    const unlike = `
      SELECT FROM scores JOIN LATERAL (
        SELECT * FROM score_changes
        WHERE (score_changes.target_id, score_changes.metric_id) = (scores.target_id, scores.metric_id)
        ORDER BY at DESC LIMIT 1
      ) AS last ON true
      WHERE (last.at, last.score, last.scorer, last.cause) IS DISTINCT FROM
        (changed_at, scores.score, scores.scorer, changed_by) OR last.former IS DISTINCT FROM former_score`;
    expect(await rowsOf(database, unlike)).toEqual([]);
    expect(await rowsOf(database, "SELECT DISTINCT cause FROM score_changes ORDER BY 1")).toEqual([
      { cause: "report" },
      { cause: "rules" },
    ]);
  });

  test("shows problems, and metrics that are stale or missing", async () => {
    expect((await list("/apps?env=prod")).total).toBe(60);
    expect((await list("/apps?env=staging")).total).toBeGreaterThan(30);
    expect((await list("/scores?state=stale&limit=1")).total).toBeGreaterThan(10);
    expect((await list("/scores?state=late&limit=1")).total).toBeGreaterThan(5);
    const open = (await list("/problems?limit=1000")).items;
    expect(new Set(open.map(({ severity }: { severity: string }) => severity))).toEqual(
      new Set(["critical", "high", "medium", "low"]),
    );
    expect((await list("/problems?all=true&limit=1")).total).toBeGreaterThan(open.length);
    const { items } = await list("/apps?env=prod&sort=reported&limit=1");
    expect(items[0].reported).toBeLessThan(0.8);
    expect((await list("/changes?limit=1")).total).toBeGreaterThan(50);
  });

  test("shows levels, waivers, applications that never reported, and former names", async () => {
    for (const level of ["gold", "silver", "bronze", "none"]) {
      expect((await list(`/apps?env=prod&level=${level}&limit=1`)).total, level).toBeGreaterThan(2);
    }
    expect((await list("/waivers?limit=1")).total).toBe(5);
    const totalOf = async (state: string) => (await list(`/waivers?state=${state}&limit=1`)).total;
    const states = ["requested", "approved", "rejected", "withdrawn", "revoked", "expired"];
    expect(await Promise.all(states.map(totalOf))).toEqual([5, 5, 2, 1, 1, 1]);
    const waived = (await list("/apps?env=prod&limit=1000")).items.filter((app: { waived: number }) => app.waived > 0);
    expect(waived.length).toBeGreaterThan(5);
    expect((await list("/apps?reported=false&limit=1")).total).toBe(3);
    const { items } = await list("/former-names");
    expect(items).toHaveLength(2);
    for (const { moved_to } of items) {
      const query = Object.entries(moved_to).filter(([, name]) => name !== null) as [string, string][];
      expect((await list(`/apps?env=prod&${new URLSearchParams(query)}`)).total).toBeGreaterThan(0);
    }
  });

  test("shows when something moved and was retired", async () => {
    const { items } = await list("/audit?kind=move&kind=retirement");
    expect(items.map(({ at, text }: { at: string; text: string }) => [Date.parse(at), text])).toEqual([
      [daysAgo(11), "retired service/contact/fax-gateway: nobody sends faxes any more"],
      [daysAgo(24), "moved shop/storefront/app-gateway to shop/storefront/mobile-gateway"],
      [daysAgo(150), "moved logistics/transport to logistics/delivery"],
    ]);
    expect((await list("/registry?retired=true")).items).toMatchObject([{ app: "fax-gateway" }]);
  });

  test("shows who asked for waivers, who decided, and who began the campaign", async () => {
    const { items } = await list("/audit?kind=waiver&kind=campaign&limit=100");
    const texts = items.map(({ actor, text }: { actor: string; text: string }) => `${actor} ${text}`);
    for (const wanted of [
      /^ruth@\S+ asked for a waiver of security.image_scan for finance\/banking until .*: no time for updates$/,
      /^sonia@\S+ rejected a waiver of .*, which ruth@\S+ asked for: name the images, and ask for two months$/,
      /^tom@\S+ withdrew the request for a waiver of /,
      /^sonia@\S+ revoked the waiver of reliability.mttr /,
      /^Sonia Security made the campaign Images that can be patched in a day, due /,
    ]) {
      expect(texts).toContainEqual(expect.stringMatching(wanted));
    }
    const times = items.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const { items: campaigns } = await list("/campaigns");
    expect(times).toContain(campaigns[0].created_at);
  });

  test.each(["a score", "a problem"])("refuses a store that has %s, and leaves it as it is", async (what) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    if (what === "a problem") await report(service);
    else {
      const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
      await post(service, "/score", { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } });
    }
    const before = await collect(service.database);
    await expect(runOn(service.database, ["demo"])).rejects.toThrow(
      /^this store is not empty; the demo fills only an empty one/,
    );
    expect(await runOn(service.database, ["demo", "--if-empty"])).toMatch(/^This store is not empty, and stays/);
    expect(await collect(service.database)).toEqual(before);
    expect(before).not.toEqual([]);
  });

  test("cannot be repeated", async () => {
    await expect(runOn(database, ["demo"])).rejects.toThrow(/this store is not empty/);
  });

  // The last, since it writes days anew.
  test("has the roll-ups of each day as the service itself writes them from the changes", async () => {
    const days = [2, 100, 200, 345, 364].map((ago) =>
      new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10),
    );
    const rollUps = (day: string) =>
      rowsOf(
        database,
        `SELECT area, team, app, env, count, score, reported, waived, lowest, weights FROM roll_up_days JOIN roll_up_targets_by_name AS target ON target.id = roll_up_days.target_id
         WHERE day = '${day}' ORDER BY area, team, app, env`,
      );
    for (const day of days) {
      const stored = await rollUps(day);
      await database.knex.raw("DELETE FROM roll_up_days WHERE day = ?::date", [day]);
      await database.knex.raw("UPDATE roll_ups_until SET day = ?::date - 1", [day]);
      const options = { scorecards: shippedEngine.scorecards, historyDays: 400, signal: new AbortController().signal };
      expect(await writeNextDay(database, options)).toEqual({ day, rollUps: stored.length });
      const written = await rollUps(day);
      const named = ({ app, env, count, weights }: Record<string, unknown>) => [app, env, count, weights];
      expect(written.map(named)).toEqual(stored.map(named));
      for (const [place, { score, reported, waived, lowest }] of written.entries()) {
        expect(waived).toBeCloseTo(stored[place].waived, 9);
        expect(score).toBeCloseTo(stored[place].score, 9);
        expect(reported).toBeCloseTo(stored[place].reported, 9);
        if (lowest !== null) expect(lowest).toBeCloseTo(stored[place].lowest, 9);
      }
    }
  });
});
