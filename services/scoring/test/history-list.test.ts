import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { type ReadPage, readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, startService, type TestService, useService } from "./support/service.ts";

const target = { area: "area", team: "team", app: "app", env: "prod" };
/** An application with several metrics, of which two changed at the same times. */
const wide = { ...target, area: "wide", changes: "true" };
const metric = { ...target, scorecard: "security", metric: "sast" };

/** Reports a score on each of four days, and writes the roll-ups of the last three. */
async function fill({ database }: Pick<TestService, "database">): Promise<void> {
  const { knex } = database;
  for (const [day, score] of [10, 40, 40, 70].entries()) {
    if (day > 0) await ageScores(knex, 1);
    await saveScores(knex, [
      newScore({ score }),
      newScore({ app: "other", score: 20 }),
      newScore({ team: "odd", app: 'a"b/é&c', score: 5 }),
      newScore({ area: "wide", scorecard: "security", metric: "sast", score }),
      newScore({ area: "wide", scorecard: "security", metric: "dast", score: 100 - score }),
      newScore({ area: "wide", scorecard: "application", metric: "health_check", score: 100 }),
      newScore({ area: "wide", env: "staging", score: 100 - score }),
    ]);
  }
  await ageScores(knex, 1);
  await missDays(knex, 3);
  await writeDays(database, { freshForHours: 24 });
}

describe.each(enginesInZones)("GET /history on %s in %s", (kind, zone) => {
  let service: TestService;
  let days: string[];
  beforeAll(async () => {
    service = await startService({ zone, databaseUrl: await createDatabase(kind) });
    await fill(service);
    days = await Promise.all([2, 1, 0].map((before) => dueDay(service.database.knex, before)));
  });
  afterAll(() => service.stop());

  const read = async (query: Readonly<Record<string, string | number>>) =>
    (await readPage(service, "/history", query)).items as Record<string, unknown>[];

  test("of a metric gives its changes, the oldest first", async () => {
    const changes = await read(metric);
    expect(changes).toMatchObject([
      { score: 10, former: null, cause: "report", scorer: "test@1.0.0" },
      { score: 40, former: 10 },
      { score: 70, former: 40 },
    ]);
    const times = changes.map(({ at }) => Date.parse(String(at)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await read({ ...metric, metric: "never" })).toEqual([]);
    const [, second] = changes;
    const since = String(second?.at);
    expect(await read({ ...metric, since: new Date(Date.parse(since) + 1).toISOString() })).toHaveLength(1);
    expect(await read({ ...metric, until: new Date(Date.parse(since) - 1).toISOString() })).toHaveLength(1);
    expect(await read({ ...metric, since: "2020-01-01", until: since.replace("Z", "+00:00") })).not.toHaveLength(0);
  });

  test("of an application, a team or an area gives the roll-ups of its days", async () => {
    const at = days.map((day) => `${day}T00:00:00.000Z`);
    const app = await read(target);
    expect(app).toMatchObject([
      { at: at[0], score: 40 },
      { at: at[1], score: 40 },
      { at: at[2], score: 70 },
    ]);
    expect(app.map(({ fresh, reported }) => [fresh, reported === app[0]?.reported])).toEqual([
      [null, true],
      [null, true],
      [app[2]?.reported, true],
    ]);
    expect(Object.keys(app[0] ?? {})).toEqual(["at", "score", "reported", "fresh", "waived", "exempt"]);
    const { app: _, ...team } = target;
    expect(await read(team)).toMatchObject([
      { score: 30, count: 2, lowest: 20 },
      { score: 30, count: 2, lowest: 20 },
      { score: 45, count: 2, lowest: 20 },
    ]);
    expect(await read({ area: "area", env: "prod" })).toMatchObject([
      { score: 17.5, count: 2, lowest: 5 },
      { score: 17.5, count: 2, lowest: 5 },
      { score: 25, count: 2, lowest: 5 },
    ]);
    expect(await read({ ...target, since: days[1] ?? "", until: days[1] ?? "" })).toMatchObject([{ at: at[1] }]);
    expect(await read({ area: "area", env: "staging" })).toEqual([]);
    expect(await read({ area: "area", team: "odd", app: 'a"b/é&c', env: "prod" })).toHaveLength(3);
  });

  test("of an application gives the changes of all its metrics, in either order", async () => {
    const changes = await read(wide);
    expect(changes.map(({ at: _, ...change }) => change)).toEqual(
      [
        ["application", "health_check", 100, null],
        ["security", "dast", 90, null],
        ["security", "sast", 10, null],
        ["security", "dast", 60, 90],
        ["security", "sast", 40, 10],
        ["security", "dast", 30, 60],
        ["security", "sast", 70, 40],
      ].map(([scorecard, metric, score, former]) => ({
        ...{ scorecard, metric, score, former },
        ...{ cause: "report", scorer: "test@1.0.0" },
      })),
    );
    const latestFirst = await read({ ...wide, sort: "-at" });
    expect(latestFirst.map(({ metric, score }) => [metric, score])).toEqual([
      ["dast", 30],
      ["sast", 70],
      ["dast", 60],
      ["sast", 40],
      ["health_check", 100],
      ["dast", 90],
      ["sast", 10],
    ]);
    const last = String(latestFirst[0]?.at);
    expect(await read({ ...wide, since: last })).toEqual(latestFirst.slice(0, 2));
    expect(await read({ ...wide, scorecard: "security", metric: "sast" })).toEqual(
      changes.filter(({ metric }) => metric === "sast"),
    );
    expect(await read({ ...wide, app: "never" })).toEqual([]);
  });

  test("of days begins with the latest when asked", async () => {
    expect(await read({ ...target, sort: "-at" })).toEqual((await read(target)).toReversed());
  });

  test.each([
    ["of a metric", metric, 3],
    ["of an application", target, 3],
    ["of an application's metrics", wide, 7],
    ["of an application's metrics, the latest first,", { ...wide, sort: "-at" }, 7],
  ])("%s comes in pages", async (_, query, total) => {
    const whole = await readPage(service, "/history", query);
    const pages: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: ReadPage = await readPage(service, "/history", { ...query, limit: 1, ...(cursor && { cursor }) });
      expect(page).toMatchObject({ total, items: [expect.anything()] });
      pages.push(...page.items);
      cursor = page.next;
    }
    expect(pages).toEqual(whole.items);
  });

  test("as CSV has the columns of what is asked for", async () => {
    const csv = async (query: Record<string, string>) => {
      const url = `/history?${new URLSearchParams(query)}`;
      return (await service.server.inject({ url, headers: { accept: "text/csv" } })).payload.trimEnd().split("\r\n");
    };
    expect(await csv(metric)).toEqual([
      "at,scorecard,metric,score,former,scorer,cause,area,team,app,env",
      ...Array(3).fill(expect.anything()),
    ]);
    expect(await csv(target)).toEqual([
      "at,score,reported,fresh,waived,exempt,count,lowest,area,team,app,env",
      ...Array(3).fill(expect.anything()),
    ]);
  });

  const wrong: Readonly<Record<string, readonly [query: object, message: string]>> = {
    "a team of no area": [{ area: undefined, app: undefined }, "area is required with team"],
    "no environment": [{ env: undefined }, "env is required"],
    "two areas": [{ area: ["a", "b"] }, "area must be given once"],
    "an application of no team": [{ team: undefined }, "team is required with app"],
    "a metric of no scorecard": [{ metric: "sast" }, "scorecard is required for the history of a metric"],
    "a metric of no application": [
      { app: undefined, scorecard: "security", metric: "sast" },
      "app is required for the history of a metric",
    ],
    "a day that is none": [{ since: "2026-02-30" }, "since must be a day such as 2026-01-31, or a time such as"],
    "a time of no zone": [{ until: "2026-02-20T12:00:00" }, "until must end with its zone, such as Z for UTC"],
    "a time in words": [{ since: "yesterday" }, "since must be a day such as"],
    "a number of seconds": [{ since: "1700000000" }, "since must be a day such as"],
    "an empty time": [{ since: "" }, "since must not be empty"],
    "an end before the beginning": [{ since: "2026-02-02", until: "2026-02-01" }, "until must not be before since"],
    "the changes of a team": [{ app: undefined, changes: "true" }, "app is required with changes"],
    "a sort by names": [{ sort: "name" }, "sort must be one of [at, -at]"],
    "a cursor of another query": [{ cursor: "WyIiLCIiXQ" }, "cursor is not a cursor of this query"],
  };

  test.each(Object.entries(wrong))("refuses %s", async (_, [changed, message]) => {
    const entries = Object.entries({ ...target, ...changed })
      .flatMap(([key, value]) => [value].flat().map((one) => [key, one]))
      .filter(([, value]) => value !== undefined);
    const { statusCode, payload } = await service.server.inject(`/history?${new URLSearchParams(entries as never)}`);
    expect([statusCode, JSON.parse(payload).message]).toEqual([400, expect.stringContaining(message)]);
  });
});

test("with HISTORY_DAYS=0 there is no history to read", async () => {
  const databaseUrl = await createDatabase("postgres");
  await fill(await useService({ databaseUrl }));
  const service = await useService({ databaseUrl, historyDays: 0 });
  expect(await readPage(service, "/history", metric)).toMatchObject({ items: [], total: 0 });
  expect(await readPage(service, "/history", wide)).toMatchObject({ items: [], total: 0 });
  expect(await readPage(service, "/history", target)).toMatchObject({ items: [], total: 0 });
});

describe("the organisation's days", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ auth: "token" });
    await fill(service);
  });
  afterAll(() => service.stop());

  const scores = async (bounds: Bounds, env = "prod") => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "reader", hash: hashToken(token), scopes: ["read"], bounds });
    const query = { env, sort: "-at", limit: 1 };
    const { items } = await readPage<{ score: number; count: number; lowest: number }>(service, "/history", query, {
      authorization: `Bearer ${token}`,
    });
    return items.map(({ score, count, lowest }) => ({ score: Math.round(score * 100) / 100, count, lowest }));
  };

  // In the area: the teams team (70 and 20) and odd (5); the area wide has one application.
  test.each<[Bounds, number, number]>([
    [{}, 2, 25],
    [{ area: "area" }, 1, 25],
    [{ area: "area", team: "team" }, 1, 45],
    [{ team: "team" }, 2, 45],
    [{ area: "area", team: "team", app: "other" }, 1, 20],
  ])("are the average of what %j may read", async (bounds, count, lowest) => {
    const [own] = await scores(bounds);
    const areas = await readPage<{ area: string; score: number }>(
      service,
      "/areas",
      { env: "prod" },
      {
        authorization: await bearerOf(bounds),
      },
    );
    const mean = areas.items.reduce((sum, { score }) => sum + score, 0) / areas.items.length;
    expect(own).toEqual({ score: Math.round(mean * 100) / 100, count, lowest });
  });

  test("have none in an environment without any", async () => {
    expect(await scores({}, "none")).toEqual([]);
    expect(await scores({ area: "area" }, "staging")).toEqual([]);
  });

  async function bearerOf(bounds: Bounds): Promise<string> {
    const token = createToken();
    await insertToken(service.database.knex, { name: "reader", hash: hashToken(token), scopes: ["read"], bounds });
    return `Bearer ${token}`;
  }
});

test("a token reads the history within its bounds and no other", async () => {
  const service = await useService({ auth: "token" });
  await fill(service);
  const status = async (bounds: Bounds, query: Record<string, string>) => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "reader", hash: hashToken(token), scopes: ["read"], bounds });
    const headers = { authorization: `Bearer ${token}` };
    return (await service.server.inject({ url: `/history?${new URLSearchParams(query)}`, headers })).statusCode;
  };
  const { app: _, ...team } = target;
  const area = { area: "area", env: "prod" };
  expect(await status({}, area)).toBe(200);
  expect(await status({ area: "area" }, area)).toBe(200);
  expect(await status({ area: "else" }, area)).toBe(403);
  expect(await status({ area: "area", team: "team" }, area)).toBe(403);
  expect(await status({ area: "area", team: "team" }, team)).toBe(200);
  expect(await status({ area: "area", team: "odd" }, team)).toBe(403);
  expect(await status({ area: "area", team: "team", app: "app" }, team)).toBe(403);
  expect(await status({ area: "area", team: "team", app: "app" }, target)).toBe(200);
  expect(await status({ area: "area", team: "team", app: "other" }, metric)).toBe(403);
  expect(await status({ area: "wide", team: "team", app: "app" }, wide)).toBe(200);
  expect(await status({ area: "wide", team: "team", app: "other" }, wide)).toBe(403);
});
